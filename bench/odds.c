/* The census of src/croupier/odds/scalar.py as plain C, shoe after shoe: what bench/odds.py holds
   the kernels against. Compiled on the spot with -O3 -march=native. */
#include <stdint.h>
#include <string.h>

static void count_one(const int64_t *values, const int64_t *takes, const int64_t *draws,
                      int64_t *every) {
    int64_t cards = 0;
    for (int v = 0; v < 10; v++) cards += values[v];
    memset(every, 0, 400 * sizeof *every);
    for (int third = 0; third < 11; third++) {
        int none = third == 10;
        int64_t times = none ? 1 : values[third];
        if (times == 0) continue;
        const int64_t *row = draws + 8 * third;
        int64_t left[20], beside[10][10], begun[10][10], pairs[10] = {0};
        int64_t holds[10][10] = {{0}}, hands[10] = {0};
        for (int v = 0; v < 10; v++) left[v] = left[v + 10] = values[v] - (v == third);
        for (int v = 0; v < 10; v++) {
            for (int c = 0; c < 10; c++) beside[v][c] = left[c - v + 10];
            beside[v][2 * v % 10]--;
            for (int c = 0; c < 10; c++) {
                begun[v][c] = left[v] * beside[v][c];
                pairs[c] += begun[v][c];
            }
        }
        for (int first = 0; first < 8; first++) {
            if (!row[first]) continue;
            for (int v = 0; v < 10; v++) {
                int64_t twice = 2 * begun[v][first];
                for (int t = 0; t < 10; t++) holds[v][t] += twice * left[t - first + 10];
            }
            for (int d = 0; d < 10; d++) {
                int total = first + d, other = first - d;
                if (total > 9) total -= 10;
                if (other < 0) other += 10;
                int64_t twice = 2 * begun[d][first];
                int64_t number = left[d] * pairs[first] - twice;
                hands[total] += number;
                holds[d][total] += number - twice;
                holds[other][total] -= twice;
            }
        }
        int64_t two = none ? (cards - 4) * (cards - 5) : times * (cards - 5);
        int64_t three = none ? cards - 5 : times;
        for (int c = 0; c < 10; c++) {
            int natural = c > 7, taken = !natural && takes[c];
            if (!none && !taken) continue;
            int64_t *into = every + (none ? c * 10 : 200 + (c + third) % 10 * 10);
            for (int o = 0; o < 10; o++) {
                if (none ? !(natural || o > 7 || !(taken || row[o])) : o > 7 || row[o]) continue;
                int64_t using = 0;
                for (int v = 0; v < 10; v++) using += begun[v][o] * beside[v][c];
                int64_t ways = pairs[c] * pairs[o] - 4 * using;
                if (c == o) ways += 2 * pairs[c];
                into[o] += two * ways;
            }
            if (natural || taken == none) continue;
            for (int t = 0; t < 10; t++) {
                int64_t using = 0;
                for (int v = 0; v < 10; v++) using += holds[v][t] * beside[v][c];
                int rest = t - c;
                if (rest < 0) rest += 10;
                into[100 + t] += three * (pairs[c] * hands[t] - 2 * using + 2 * holds[rest][t]);
            }
        }
    }
}

void count_many(const int64_t *values, int64_t shoes, const int64_t *takes, const int64_t *draws,
                const int64_t *cells, int64_t width, int64_t *ways) {
    int64_t every[400];
    for (int64_t shoe = 0; shoe < shoes; shoe++) {
        count_one(values + 10 * shoe, takes, draws, every);
        for (int64_t k = 0; k < width; k++) ways[shoe * width + k] = every[cells[k]];
    }
}
