/* The scalar engine of src/croupier/simulation as plain C, one shoe after another on one thread:
   what bench/simulation.py holds both engines against. Compiled on the spot, -O3 -march=native. A
   shoe is shuffled as it is dealt (Fisher and Yates) with xoshiro128++ and Lemire's numbers. */
#include <stdint.h>

typedef struct {
    uint32_t a, b, c, d;
} stream;

typedef struct {
    int64_t burns, behind, last_hands, ends_at_first;
    int64_t takes[8], draws[88];
} course;

static inline uint32_t rotated(uint32_t word, int by) { return word << by | word >> (32 - by); }

static inline uint32_t next(stream *s) {
    uint32_t result = rotated(s->a + s->d, 7) + s->a, kept = s->b << 9;
    s->c ^= s->a;
    s->d ^= s->b;
    s->b ^= s->c;
    s->a ^= s->d;
    s->c ^= kept;
    s->d = rotated(s->d, 11);
    return result;
}

static inline uint32_t draw(stream *s, uint8_t *shoe, uint32_t at, uint32_t cards) {
    uint32_t left = cards - at;
    uint64_t product = (uint64_t)next(s) * left;
    if ((uint32_t)product < left) {
        uint32_t favoured = -left % left;
        while ((uint32_t)product < favoured) product = (uint64_t)next(s) * left;
    }
    uint32_t other = at + (uint32_t)(product >> 32);
    uint8_t card = shoe[other];
    shoe[other] = shoe[at];
    shoe[at] = card;
    return card;
}

/* A card is its value at level 0, its rank at level 1 and its index at level 2. */
static uint8_t RANKS[52], VALUES[52];

__attribute__((constructor)) static void fill(void) {
    for (int card = 0; card < 52; card++) {
        RANKS[card] = card % 13;
        VALUES[card] = card % 13 < 9 ? card % 13 + 1 : 0;
    }
}

static inline uint32_t rank_of(uint32_t card, int level) { return level == 2 ? RANKS[card] : card; }

static inline uint32_t value_of(uint32_t card, int level) {
    return level == 0 ? card : VALUES[card];
}

static inline uint32_t ten(uint32_t count) { return count < 10 ? count : count - 10; }

static inline uint32_t royal(uint32_t one, uint32_t other) {
    uint32_t nine = RANKS[one] == 8 ? one : other, face = RANKS[one] == 8 ? other : one;
    if (RANKS[nine] != 8 || RANKS[face] < 10) return 0;
    return 1 + nine / 13 * 12 + face / 13 * 3 + RANKS[face] - 10;
}

static inline int64_t play(const uint32_t *state, uint8_t *shoe, uint32_t cards, const course *law,
                           int64_t shoes, int64_t *cells, int64_t *royals, int level) {
    stream s = {state[0], state[1], state[2], state[3]};
    int64_t played = 0;
    for (int64_t number = 0; number < shoes; number++) {
        uint32_t at = 0;
        int64_t hands = -1;
        if (law->burns) {
            uint32_t value = value_of(draw(&s, shoe, 0, cards), level);
            uint32_t burned = 1 + (value ? value : 10);
            for (at = 1; at < burned; at++) draw(&s, shoe, at, cards);
        }
        while (hands != 0 && cards - at >= 6) {
            uint32_t began = at, own = 0, other = 0;
            uint32_t a = draw(&s, shoe, at, cards), b = draw(&s, shoe, at + 1, cards);
            uint32_t c = draw(&s, shoe, at + 2, cards), d = draw(&s, shoe, at + 3, cards);
            uint32_t player = ten(value_of(a, level) + value_of(c, level));
            uint32_t banker = ten(value_of(b, level) + value_of(d, level));
            at += 4;
            if (player < 8 && banker < 8) {
                uint32_t third = 10, before = banker;
                if (law->takes[player]) {
                    third = value_of(draw(&s, shoe, at++, cards), level);
                    player = ten(player + third);
                    own = 1;
                }
                if (law->draws[third * 8 + before]) {
                    banker = ten(banker + value_of(draw(&s, shoe, at++, cards), level));
                    other = 1;
                }
            }
            uint32_t cell = ((player * 10 + banker) * 2 + own) * 2 + other;
            if (level > 0) {
                cell = cell * 4 + (rank_of(a, level) == rank_of(c, level)) * 2;
                cell += rank_of(b, level) == rank_of(d, level);
            }
            cells[cell]++;
            if (level == 2) royals[royal(a, c) * 49 + royal(b, d)]++;
            played++;
            if (hands > 0) hands--;
            else if (cards - (at - 1) <= law->behind)
                hands = cards - began <= law->behind && law->ends_at_first ? 0 : law->last_hands;
        }
    }
    return played;
}

int64_t counts(const uint32_t *state, uint8_t *shoe, uint32_t cards, const course *law,
               int64_t shoes, int64_t *cells, int64_t *royals) {
    return play(state, shoe, cards, law, shoes, cells, royals, 0);
}

int64_t pairs(const uint32_t *state, uint8_t *shoe, uint32_t cards, const course *law,
              int64_t shoes, int64_t *cells, int64_t *royals) {
    return play(state, shoe, cards, law, shoes, cells, royals, 1);
}

int64_t royals(const uint32_t *state, uint8_t *shoe, uint32_t cards, const course *law,
               int64_t shoes, int64_t *cells, int64_t *royals) {
    return play(state, shoe, cards, law, shoes, cells, royals, 2);
}
