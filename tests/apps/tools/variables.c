/* SPDX-License-Identifier: Apache-2.0 */
/* A tool of the MPI tool information interface: says what there is before MPI_Init, makes calls, and reads variables at
 * the end and behind it. Every rank checks what must hold whatever stands in front of the MPI; the first one prints
 * JSON: how many variables there are, all ours with their values, and a hash of everything that is the MPI's.
 *
 * arguments: whether variables of Espalier are expected (0 or 1) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static int rank;
#define CHECK(condition) \
  ((condition) ? (void)0 : (void)(++failures, fprintf(stderr, "rank %d: line %d: %s\n", rank, __LINE__, #condition)))

static unsigned long hash = 5381;
static void add_text(const char* text) {
  for (; *text; ++text) hash = hash * 33 + (unsigned char)*text;
}
static void add_number(long number) { hash = hash * 33 + (unsigned long)number; }

static int is_own(const char* name) { return strncmp(name, "espalier", 8) == 0 || strncmp(name, "ESPALIER", 8) == 0; }

/* What the MPI itself answers for an index need not be a variable any more. */
static int pvar(int index, char* name, int room, int* class, MPI_Datatype* type) {
  char description[2048];
  int length = room, description_length = sizeof description, verbosity, bind, read_only, continuous, atomic;
  MPI_T_enum values;
  name[0] = '\0';
  const int status = MPI_T_pvar_get_info(index, name, &length, &verbosity, class, type, &values, description,
                                         &description_length, &bind, &read_only, &continuous, &atomic);
  if (status == MPI_SUCCESS && !is_own(name)) {
    add_text(name), add_text(description), add_number(*class), add_number(verbosity), add_number(bind);
    add_number(read_only), add_number(continuous), add_number(atomic);
  }
  if (status == MPI_SUCCESS && is_own(name)) {
    CHECK(read_only == 1 && continuous == 1 && bind == MPI_T_BIND_NO_OBJECT);
    CHECK(length == (int)strlen(name) + 1 && description_length == (int)strlen(description) + 1);
  }
  return status;
}

static int cvar(int index, char* name, int room) {
  char description[4096];
  int length = room, description_length = sizeof description, verbosity, bind, scope;
  MPI_Datatype type;
  MPI_T_enum values;
  name[0] = '\0';
  const int status = MPI_T_cvar_get_info(index, name, &length, &verbosity, &type, &values, description,
                                         &description_length, &bind, &scope);
  if (status == MPI_SUCCESS && !is_own(name)) {
    add_text(name), add_text(description), add_number(verbosity), add_number(bind), add_number(scope);
  }
  return status;
}

static void print_pvars(MPI_T_pvar_session session, int number) {
  const char* between = "";
  for (int index = 0; index < number; ++index) {
    char name[256];
    int class, found = -1, count = 0;
    MPI_Datatype type;
    MPI_T_pvar_handle handle;
    if (pvar(index, name, sizeof name, &class, &type) != MPI_SUCCESS || !is_own(name)) continue;
    CHECK(MPI_T_pvar_get_index(name, class, &found) == MPI_SUCCESS && found == index);
    CHECK(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) == MPI_SUCCESS && count == 1);
    CHECK(MPI_T_pvar_start(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_stop(session, handle) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_reset(session, handle) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_write(session, handle, &count) == MPI_T_ERR_PVAR_NO_WRITE);
    unsigned long long counted = 0;
    double seconds = 0;
    const int is_counter = type == MPI_UNSIGNED_LONG_LONG;
    CHECK(MPI_T_pvar_read(session, handle, is_counter ? (void*)&counted : (void*)&seconds) == MPI_SUCCESS);
    if (is_counter)
      printf("%s\"%s\": %llu", between, name, counted);
    else
      printf("%s\"%s\": %.9f", between, name, seconds);
    between = ", ";
    MPI_T_pvar_handle stale = handle;
    CHECK(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS && handle == MPI_T_PVAR_HANDLE_NULL);
    CHECK(MPI_T_pvar_read(session, stale, &seconds) == MPI_T_ERR_INVALID_HANDLE);
  }
}

static void print_cvars(int number) {
  const char* between = "";
  for (int index = 0; index < number; ++index) {
    char name[256];
    int found = -1, count = 0;
    MPI_T_cvar_handle handle;
    if (cvar(index, name, sizeof name) != MPI_SUCCESS || !is_own(name)) continue;
    CHECK(MPI_T_cvar_get_index(name, &found) == MPI_SUCCESS && found == index);
    CHECK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS && count >= 1);
    char* const value = calloc(1, (size_t)count);
    CHECK(MPI_T_cvar_write(handle, value) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(MPI_T_cvar_read(handle, value) == MPI_SUCCESS);
    printf("%s\"%s\": \"%s\"", between, name, value);
    between = ", ";
    free(value);
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS && handle == MPI_T_CVAR_HANDLE_NULL);
  }
}

/* Names of what the MPI's categories hold, by the numbers that they say; of ours how many. */
static int own_category_members(int pvars, int cvars) {
  int categories = 0, own = 0;
  CHECK(MPI_T_category_get_num(&categories) == MPI_SUCCESS);
  for (int index = 0; index < categories; ++index) {
    char name[256] = "", description[2048], member[256];
    int length = sizeof name, description_length = sizeof description, controls, performances, inner, class, found;
    MPI_Datatype type;
    if (MPI_T_category_get_info(index, name, &length, description, &description_length, &controls, &performances,
                                &inner) != MPI_SUCCESS)
      continue;
    CHECK(MPI_T_category_get_index(name, &found) == MPI_SUCCESS);
    int* const members = calloc((size_t)(controls + performances + inner + 1), sizeof *members);
    CHECK(MPI_T_category_get_cvars(index, controls, members) == MPI_SUCCESS);
    for (int i = 0; i < controls; ++i) {
      CHECK(members[i] >= 0 && members[i] < cvars);
      if (cvar(members[i], member, sizeof member) == MPI_SUCCESS) CHECK(is_own(member) == is_own(name));
    }
    CHECK(MPI_T_category_get_pvars(index, performances, members) == MPI_SUCCESS);
    for (int i = 0; i < performances; ++i) {
      CHECK(members[i] >= 0 && members[i] < pvars);
      if (pvar(members[i], member, sizeof member, &class, &type) == MPI_SUCCESS) CHECK(is_own(member) == is_own(name));
    }
    if (is_own(name))
      own += controls + performances;
    else
      add_text(name), add_text(description), add_number(controls), add_number(performances), add_number(inner);
    free(members);
  }
  return own;
}

int main(int argc, char** argv) {
  const int expected = argc > 1 && atoi(argv[1]);
  int provided, pvars, cvars, pvars_before, cvars_before, number;
  char name[256], first_own[256] = "";
  CHECK(MPI_T_pvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
  CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
  CHECK(MPI_T_pvar_get_num(&pvars_before) == MPI_SUCCESS && MPI_T_cvar_get_num(&cvars_before) == MPI_SUCCESS);
  int own_before = -1;
  for (int index = 0; index < cvars_before && own_before < 0; ++index) {
    if (cvar(index, name, sizeof name) == MPI_SUCCESS && is_own(name)) own_before = index, strcpy(first_own, name);
  }
  CHECK((own_before >= 0) == expected);
  MPI_T_pvar_session session;
  CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (expected) {
    CHECK(MPI_T_cvar_get_index(first_own, &number) == MPI_SUCCESS && number == own_before);
  }
  for (int call = 0; call < 10; ++call) {
    double one = rank, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  hash = 5381; /* of what is there from here on */
  CHECK(MPI_T_pvar_get_num(&pvars) == MPI_SUCCESS && MPI_T_cvar_get_num(&cvars) == MPI_SUCCESS);
  CHECK(pvars >= pvars_before && cvars >= cvars_before);
  if (rank == 0) printf("{\"pvars\": %d, \"cvars\": %d, \"own_pvars\": {", pvars, cvars);
  if (rank != 0) freopen("/dev/null", "w", stdout);
  print_pvars(session, pvars);
  printf("}, \"own_cvars\": {");
  print_cvars(cvars);
  printf("}, \"in_own_category\": %d, ", own_category_members(pvars, cvars));
  printf("\"native\": \"%lx\"", hash);

  int found = -1;
  CHECK(MPI_T_pvar_get_index("espalier_no_such_thing", MPI_T_PVAR_CLASS_COUNTER, &found) == MPI_T_ERR_INVALID_NAME);
  CHECK(MPI_T_cvar_get_index("ESPALIER_NO_SUCH_THING", &found) == MPI_T_ERR_INVALID_NAME);
  printf(", \"beyond\": %d", cvar(cvars, name, sizeof name)); /* MPIs differ in the code */
  MPI_Finalize();
  if (expected) {
    CHECK(MPI_T_cvar_get_index(first_own, &number) == MPI_SUCCESS && number == own_before);
    CHECK(cvar(number, name, 4) == MPI_SUCCESS && strcmp(name, "ESP") == 0);
  }
  printf(", \"failures\": %d}\n", failures);
  fflush(stdout);
  return failures != 0;
}
