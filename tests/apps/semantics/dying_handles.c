/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives in the delete callbacks of attributes: on the communicator that is just being freed, and on others. The
 * communicators that are made afterwards get the handles of those that went, with other ranks and sizes. */
#include "checks.h"

static int keyval;
static int callbacks = 0;

static int barrier_on_the_dying(MPI_Comm comm, int key, void* value, void* extra) {
  (void)key, (void)value, (void)extra;
  ++callbacks;
  EXPECT(MPI_Barrier(comm) == MPI_SUCCESS);
  int one = 1, sum = 0;
  EXPECT(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
  EXPECT(sum == size_of(comm));
  expect_right_results(comm);
  return MPI_SUCCESS;
}

static int refuse(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++callbacks;
  return MPI_ERR_OTHER;
}

/* Ranks in reverse order; without the first rank, if it is to be smaller. */
static MPI_Comm other_communicator(int smaller) {
  MPI_Comm made;
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, smaller && rank == 0 ? MPI_UNDEFINED : 0, -rank, &made);
  return made;
}

/* Ours is set at the first collective: the attribute is there before on some ranks and comes after it on others. */
static void free_one(int round, int with_disconnect) {
  MPI_Comm dying;
  MPI_Comm_dup(MPI_COMM_WORLD, &dying);
  const int before = round == 0 || (round == 1 && rank_in(dying) % 2 == 0);
  if (before) MPI_Comm_set_attr(dying, keyval, NULL);
  if (round != 3) expect_right_results(dying);
  if (!before) MPI_Comm_set_attr(dying, keyval, NULL);
  EXPECT((with_disconnect ? MPI_Comm_disconnect(&dying) : MPI_Comm_free(&dying)) == MPI_SUCCESS);
  EXPECT(dying == MPI_COMM_NULL);
}

static void handles_are_used_again(int with_disconnect) {
  for (int round = 0; round < 4; ++round) {
    callbacks = 0;
    ++trial;
    free_one(round, with_disconnect);
    EXPECT(callbacks == 1);
    MPI_Comm next[3];
    for (int k = 0; k < 3; ++k) {
      ++trial;
      next[k] = other_communicator(k == round % 3);
      if (next[k] != MPI_COMM_NULL) expect_right_results(next[k]);
    }
    for (int k = 0; k < 3; ++k) {
      if (next[k] != MPI_COMM_NULL) MPI_Comm_free(&next[k]);
    }
  }
}

/* A callback that frees another communicator, whose own callback makes collectives on that one. */
static MPI_Comm inner;
static int free_inner(MPI_Comm comm, int key, void* value, void* extra) {
  (void)key, (void)value, (void)extra;
  MPI_Comm_free(&inner);
  expect_right_results(comm);
  return MPI_SUCCESS;
}

static void one_callback_frees_another(void) {
  int outer_keyval;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_inner, &outer_keyval, NULL);
  MPI_Comm outer;
  MPI_Comm_dup(MPI_COMM_WORLD, &outer);
  MPI_Comm_dup(MPI_COMM_WORLD, &inner);
  MPI_Comm_set_attr(outer, outer_keyval, NULL);
  MPI_Comm_set_attr(inner, keyval, NULL);
  expect_right_results(outer);
  MPI_Comm_free(&outer);
  for (int k = 0; k < 3; ++k) {
    ++trial;
    MPI_Comm next = other_communicator(0);
    expect_right_results(next);
    MPI_Comm_free(&next);
  }
  MPI_Comm_free_keyval(&outer_keyval);
}

/* A communicator that could not be freed goes on as it was. */
static void freeing_that_fails(void) {
  int refusing;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &refusing, NULL);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_attr(comm, refusing, NULL);
  expect_right_results(comm);
  MPI_Comm kept = comm;
  if (MPI_Comm_free(&comm) != MPI_SUCCESS) {
    expect_right_results(kept);
    expect_right_results(kept);
  }
  MPI_Comm_free_keyval(&refusing);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, barrier_on_the_dying, &keyval, NULL);
  handles_are_used_again(0);
  handles_are_used_again(1);
  one_callback_frees_another();
  freeing_that_fails();
  /* Callbacks at MPI_Finalize. */
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL);
  const int status = conclude();
  MPI_Finalize();
  return status;
}
