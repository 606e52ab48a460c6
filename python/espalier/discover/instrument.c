// SPDX-License-Identifier: Apache-2.0
// The instrument of `espalier topo --discover`: an MPI program that does as it is told, and measures nothing by itself.
//
// Rank 0 reads commands from its standard input, and answers each by a line of JSON:
//
//   ping COUNT a:b c:d ...               short messages there and back, all pairs at once; no node is in two pairs
//   flow BYTES CHUNKS a:b c:d ...        all of these flows at once, each in CHUNKS messages of BYTES
//   sync BYTES CHUNKS a:b c:d ...        the same in synchronous mode
//   carried                              bytes that each interface has sent so far
//   end
//
// Its argument: seconds after which it ends in any case.
//
// One rank of each host takes part, numbered as the first line of the output lists them. Times are those of the one
// who begins: of a flow, until its sender learns that all has arrived.
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  NAME_BYTES = 256,
  REPORT_BYTES = 4096,
  LINE_BYTES = 1 << 20,
  MAX_FLOWS = 1 << 14,
  PING_BYTES = 8,
  MAX_PORTS = 4
};
enum { END, PING, FLOW, SYNC, CARRIED };

typedef struct {
  int kind, bytes, count, pairs;
} Command;

static int me, nodes;
static MPI_Comm team, arrived;   // one rank of each host; the same, for words that all has arrived
static int ends[2 * MAX_FLOWS];  // of the command's pairs
static double taken[MAX_FLOWS];  // what was measured of each

static void stop(const char* why) {
  fprintf(stderr, "espalier: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void* memory(size_t bytes) {
  void* found = calloc(bytes > 0 ? bytes : 1, 1);
  if (found == NULL) stop("there is no memory left");
  return found;
}

// ---- What a node says of itself ----

// The file's first line, without what would need escapes in JSON.
static void read_line(const char* path, char* text, int bytes) {
  FILE* file = fopen(path, "r");
  text[0] = 0;
  if (file == NULL) return;
  if (fgets(text, bytes, file) == NULL) text[0] = 0;
  fclose(file);
  for (char* at = text; *at != 0; ++at) {
    if (*at == '\n') *at = 0;
    if (*at == 0) break;
    if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\') *at = ' ';
  }
}

static void add(char* report, const char* text) {
  if (strlen(report) + strlen(text) + 1 < REPORT_BYTES) strcat(report, text);
}

static void add_nic(char* report, const char* name, const char* kind, double bytes_per_second, const char* node) {
  char text[2 * NAME_BYTES];
  snprintf(text, sizeof text,
           "%s{\"name\": \"%.64s\", \"kind\": \"%s\", \"bytes_per_second\": %.0f, \"numa_node\": %d}",
           report[strlen(report) - 1] == '[' ? "" : ", ", name, kind, bytes_per_second, node[0] ? atoi(node) : -1);
  if (strlen(report) + strlen(text) + 64 < REPORT_BYTES) strcat(report, text);
}

// Interfaces of hardware that are up, and say how fast they are.
static void add_network_nic(char* report, const char* name) {
  char path[2 * NAME_BYTES], speed[64], state[64], node[64];
  snprintf(path, sizeof path, "/sys/class/net/%.64s/device", name);
  if (access(path, F_OK) != 0) return;
  snprintf(path, sizeof path, "/sys/class/net/%.64s/operstate", name);
  read_line(path, state, sizeof state);
  snprintf(path, sizeof path, "/sys/class/net/%.64s/speed", name);
  read_line(path, speed, sizeof speed);
  snprintf(path, sizeof path, "/sys/class/net/%.64s/device/numa_node", name);
  read_line(path, node, sizeof node);
  if (strcmp(state, "up") == 0 && atof(speed) > 0) add_nic(report, name, "network", atof(speed) * 1e6 / 8, node);
}

static void add_infiniband_port(char* report, const char* name, int port) {
  char path[2 * NAME_BYTES], rate[64], state[64], node[64], full[NAME_BYTES];
  snprintf(path, sizeof path, "/sys/class/infiniband/%.64s/ports/%d/state", name, port);
  read_line(path, state, sizeof state);
  snprintf(path, sizeof path, "/sys/class/infiniband/%.64s/ports/%d/rate", name, port);
  read_line(path, rate, sizeof rate);
  snprintf(path, sizeof path, "/sys/class/infiniband/%.64s/device/numa_node", name);
  read_line(path, node, sizeof node);
  snprintf(full, sizeof full, "%.64s:%d", name, port);
  if (strstr(state, "ACTIVE") != NULL && atof(rate) > 0)
    add_nic(report, full, "openfabrics", atof(rate) * 1e9 / 8, node);
}

static void add_nics(char* report) {
  struct dirent* entry;
  DIR* all = opendir("/sys/class/net");
  add(report, ", \"nics\": [");
  while (all != NULL && (entry = readdir(all)) != NULL) {
    if (entry->d_name[0] != '.') add_network_nic(report, entry->d_name);
  }
  if (all != NULL) closedir(all);
  all = opendir("/sys/class/infiniband");
  while (all != NULL && (entry = readdir(all)) != NULL) {
    for (int port = 1; entry->d_name[0] != '.' && port <= MAX_PORTS; ++port)
      add_infiniband_port(report, entry->d_name, port);
  }
  if (all != NULL) closedir(all);
  add(report, "]");
}

static void add_file(char* report, const char* key, const char* path) {
  char line[NAME_BYTES], text[2 * NAME_BYTES];
  read_line(path, line, sizeof line);
  if (line[0] == 0) return;
  snprintf(text, sizeof text, ", \"%s\": \"%s\"", key, line);
  add(report, text);
}

static void describe_myself(const char* host, char* report) {
  snprintf(report, REPORT_BYTES, "{\"host\": \"%.200s\"", host);
  add_file(report, "tofu", "/proc/tofu/position");
  add_nics(report);
  add(report, "}");
}

// Interfaces over others (bonds, bridges) send nothing by themselves.
static int is_over_another(const char* name) {
  char path[2 * NAME_BYTES];
  int found = 0;
  snprintf(path, sizeof path, "/sys/class/net/%.64s", name);
  DIR* all = opendir(path);
  struct dirent* entry;
  while (all != NULL && (entry = readdir(all)) != NULL) found |= strncmp(entry->d_name, "lower_", 6) == 0;
  if (all != NULL) closedir(all);
  return found;
}

static void add_sent(char* report, const char* name, const char* path, double unit) {
  char number[64], text[2 * NAME_BYTES];
  read_line(path, number, sizeof number);
  if (number[0] == 0) return;
  snprintf(text, sizeof text, "%s\"%.64s\": %.0f", report[strlen(report) - 1] == '{' ? "" : ", ", name,
           strtod(number, NULL) * unit);
  if (strlen(report) + strlen(text) + 2 < REPORT_BYTES) strcat(report, text);
}

static void count_what_was_sent(char* report) {
  char path[2 * NAME_BYTES], name[NAME_BYTES];
  struct dirent* entry;
  strcpy(report, "{");
  DIR* all = opendir("/sys/class/net");
  while (all != NULL && (entry = readdir(all)) != NULL) {
    if (entry->d_name[0] == '.' || strcmp(entry->d_name, "lo") == 0 || is_over_another(entry->d_name)) continue;
    snprintf(path, sizeof path, "/sys/class/net/%.64s/statistics/tx_bytes", entry->d_name);
    add_sent(report, entry->d_name, path, 1);
  }
  if (all != NULL) closedir(all);
  all = opendir("/sys/class/infiniband");
  while (all != NULL && (entry = readdir(all)) != NULL) {
    for (int port = 1; entry->d_name[0] != '.' && port <= MAX_PORTS; ++port) {
      snprintf(path, sizeof path, "/sys/class/infiniband/%.64s/ports/%d/counters/port_xmit_data", entry->d_name, port);
      snprintf(name, sizeof name, "%.64s:%d", entry->d_name, port);
      add_sent(report, name, path, 4);  // it counts words
    }
  }
  if (all != NULL) closedir(all);
  strcat(report, "}");
}

// Of all nodes, as a list behind this key.
static void gather_reports(const char* report, const char* key) {
  char* all = memory(me == 0 ? (size_t)nodes * REPORT_BYTES : 1);
  MPI_Gather(report, REPORT_BYTES, MPI_CHAR, all, REPORT_BYTES, MPI_CHAR, 0, team);
  if (me == 0) {
    printf("{\"espalier\": \"instrument\", \"%s\": [", key);
    for (int node = 0; node < nodes; ++node) printf("%s%s", node > 0 ? ", " : "", all + (size_t)node * REPORT_BYTES);
    printf("]}\n");
    fflush(stdout);
  }
  free(all);
}

// ---- What is measured ----

static double shortest_turn(int other, int is_first, int count) {
  char message[PING_BYTES] = {0};
  double shortest = 1e9;
  for (int turn = 0; turn <= count; ++turn) {  // the first one may make a connection, and does not count
    const double began = MPI_Wtime();
    if (is_first) MPI_Send(message, PING_BYTES, MPI_CHAR, other, 0, team);
    MPI_Recv(message, PING_BYTES, MPI_CHAR, other, 0, team, MPI_STATUS_IGNORE);
    if (!is_first) MPI_Send(message, PING_BYTES, MPI_CHAR, other, 0, team);
    const double took = MPI_Wtime() - began;
    if (turn > 0 && took < shortest) shortest = took;
  }
  return shortest / 2;
}

static void ping(const Command* command) {
  for (int pair = 0; pair < command->pairs; ++pair) {
    const int a = ends[2 * pair], b = ends[2 * pair + 1];
    if (me == a) taken[pair] = shortest_turn(b, 1, command->count);
    if (me == b) shortest_turn(a, 0, command->count);
  }
}

// What a request is for: a flow's messages as they leave and arrive, and the receiver's word that all have.
enum { SENDING, RECEIVING, LEARNING };

typedef struct {
  MPI_Request* requests;
  int* what;
  int* flow_of;
  int* missing;  // messages of each flow that comes here
  char* sent;
  char* received;  // a place for each message
  int used;
} Traffic;

static MPI_Request* next_request(Traffic* traffic, int what, int flow) {
  traffic->what[traffic->used] = what;
  traffic->flow_of[traffic->used] = flow;
  return &traffic->requests[traffic->used++];
}

static int flows_at(const Command* command, int end) {
  int flows = 0;
  for (int flow = 0; flow < command->pairs; ++flow) flows += ends[2 * flow + end] == me;
  return flows;
}

static void post_receives(Traffic* traffic, const Command* command) {
  char* place = traffic->received;
  for (int flow = 0; flow < command->pairs; ++flow) {
    const int from = ends[2 * flow], to = ends[2 * flow + 1];
    if (from == me) MPI_Irecv(NULL, 0, MPI_CHAR, to, flow, arrived, next_request(traffic, LEARNING, flow));
    if (to != me) continue;
    traffic->missing[flow] = command->count;
    for (int message = 0; message < command->count; ++message, place += command->bytes) {
      MPI_Irecv(place, command->bytes, MPI_CHAR, from, flow, team, next_request(traffic, RECEIVING, flow));
    }
  }
}

// The flows in turn, so that they share what they share.
static void post_sends(Traffic* traffic, const Command* command) {
  for (int message = 0; message < command->count; ++message) {
    for (int flow = 0; flow < command->pairs; ++flow) {
      if (ends[2 * flow] != me) continue;
      (command->kind == SYNC ? MPI_Issend : MPI_Isend)(traffic->sent, command->bytes, MPI_CHAR, ends[2 * flow + 1],
                                                       flow, team, next_request(traffic, SENDING, flow));
    }
  }
}

// The sender's clock counts: a receiver may be late to look at its own.
static void wait_for(const Traffic* traffic, double began) {
  for (int left = traffic->used; left > 0; --left) {
    int done;
    MPI_Waitany(traffic->used, traffic->requests, &done, MPI_STATUS_IGNORE);
    const int flow = traffic->flow_of[done];
    if (traffic->what[done] == LEARNING) taken[flow] = MPI_Wtime() - began;
    if (traffic->what[done] == RECEIVING && --traffic->missing[flow] == 0) {
      MPI_Send(NULL, 0, MPI_CHAR, ends[2 * flow], flow, arrived);
    }
  }
}

static void flow(const Command* command) {
  const int from_me = flows_at(command, 0), to_me = flows_at(command, 1);
  const int all = from_me + (from_me + to_me) * command->count;
  Traffic traffic = {memory(all * sizeof(MPI_Request)),
                     memory(all * sizeof(int)),
                     memory(all * sizeof(int)),
                     memory(command->pairs * sizeof(int)),
                     memory(command->bytes),
                     memory((size_t)to_me * command->count * command->bytes),
                     0};
  post_receives(&traffic, command);
  MPI_Barrier(team);
  const double began = MPI_Wtime();
  post_sends(&traffic, command);
  wait_for(&traffic, began);
  void* const all_of_it[] = {traffic.requests, traffic.what, traffic.flow_of,
                             traffic.missing,  traffic.sent, traffic.received};
  for (size_t part = 0; part < sizeof all_of_it / sizeof *all_of_it; ++part) free(all_of_it[part]);
}

// ---- Commands ----

static int add_pair(Command* command, const char* word) {
  int from, to;
  char rest;
  if (command->pairs == MAX_FLOWS || sscanf(word, "%d:%d%c", &from, &to, &rest) != 2) return 0;
  if (from < 0 || to < 0 || from >= nodes || to >= nodes || from == to) return 0;
  ends[2 * command->pairs] = from;
  ends[2 * command->pairs + 1] = to;
  return ++command->pairs;
}

// Rank 0 alone. The end of the input is the end of all.
static Command next_command(char* line) {
  Command command = {END, 0, 0, 0};
  if (fgets(line, LINE_BYTES, stdin) == NULL) return command;
  const char* word = strtok(line, " \n");
  if (word == NULL || strcmp(word, "end") == 0) return command;
  if (strcmp(word, "carried") == 0) {
    command.kind = CARRIED;
    return command;
  }
  command.kind = strcmp(word, "ping") == 0 ? PING : strcmp(word, "sync") == 0 ? SYNC : FLOW;
  if (command.kind != PING) command.bytes = (word = strtok(NULL, " \n")) ? atoi(word) : 0;
  command.count = (word = strtok(NULL, " \n")) ? atoi(word) : 0;
  while ((word = strtok(NULL, " \n")) != NULL) {
    if (!add_pair(&command, word)) stop("a pair of the command is none");
  }
  if (command.count < 1 || command.bytes < 0) stop("a number of the command is none");
  return command;
}

static void answer(const Command* command) {
  MPI_Reduce(me == 0 ? MPI_IN_PLACE : taken, taken, command->pairs, MPI_DOUBLE, MPI_MAX, 0, team);
  if (me != 0) return;
  printf("{\"taken\": [");
  for (int pair = 0; pair < command->pairs; ++pair) printf("%s%.9f", pair > 0 ? ", " : "", taken[pair]);
  printf("]}\n");
  fflush(stdout);
}

static void do_as_told(const Command* command) {
  if (command->kind == CARRIED) {
    char report[REPORT_BYTES];
    count_what_was_sent(report);
    return gather_reports(report, "carried");
  }
  if (command->kind == PING) {
    ping(command);
  } else {
    flow(command);
  }
  answer(command);
}

static void take_commands(void) {
  char* line = memory(LINE_BYTES);
  for (;;) {
    Command command = {END, 0, 0, 0};
    if (me == 0) command = next_command(line);
    MPI_Bcast(&command, sizeof command / sizeof(int), MPI_INT, 0, team);
    if (command.kind == END) break;
    MPI_Bcast(ends, 2 * command.pairs, MPI_INT, 0, team);
    memset(taken, 0, sizeof taken);
    do_as_told(&command);
  }
  free(line);
}

// The lowest rank of each host, by the names of hosts.
static int is_first_of_host(const char* host) {
  int rank, size, is_first = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char* names = memory((size_t)size * NAME_BYTES);
  MPI_Allgather(host, NAME_BYTES, MPI_CHAR, names, NAME_BYTES, MPI_CHAR, MPI_COMM_WORLD);
  for (int other = 0; other < rank; ++other) {
    if (strcmp(names + (size_t)other * NAME_BYTES, host) == 0) is_first = 0;
  }
  free(names);
  return is_first;
}

// Ranks without a part leave the processors to the others.
static void wait_for_the_end(void) {
  MPI_Request over;
  int is_over = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &over);
  while (!is_over) {
    MPI_Test(&over, &is_over, MPI_STATUS_IGNORE);
    if (!is_over) usleep(10000);
  }
}

int main(int argc, char** argv) {
  char host[NAME_BYTES] = {0};
  // Where the command was killed, a launcher may not tell rank 0 that its input has ended.
  if (argc > 1) alarm((unsigned)atoi(argv[1]));
  MPI_Init(&argc, &argv);
  gethostname(host, sizeof host - 1);
  const int takes_part = is_first_of_host(host);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED, rank, &team);
  if (takes_part) {
    MPI_Comm_dup(team, &arrived);
    MPI_Comm_rank(team, &me);
    MPI_Comm_size(team, &nodes);
    char report[REPORT_BYTES];
    describe_myself(host, report);
    gather_reports(report, "nodes");
    take_commands();
    MPI_Comm_free(&arrived);
    MPI_Comm_free(&team);
  }
  wait_for_the_end();
  MPI_Finalize();
  return 0;
}
