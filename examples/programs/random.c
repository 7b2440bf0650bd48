/* A program in C that plays any game: it takes a random legal move, by its number.
 *
 * cc -O2 -o random examples/programs/random.c
 * polytrix arena quatrix random "process:./random"
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strstr(line, "{\"type\":\"hello\"") == line) {
            puts("{\"protocol\":1,\"name\":\"random\"}");
        } else if (strstr(line, "{\"type\":\"choose\"") == line) {
            int count = 0, chosen = 0;
            for (char *at = line; (at = strstr(at, "{\"id\":")) != NULL; at++) {
                if (rand() % ++count == 0) /* each of them is kept equally often */
                    chosen = atoi(at + strlen("{\"id\":"));
            }
            printf("{\"move\":%d}\n", chosen);
        }
        fflush(stdout); /* observe and over need no answer */
    }
    free(line);
    return 0;
}
