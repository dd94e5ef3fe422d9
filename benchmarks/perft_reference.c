/* Perft in C, to compare speeds with (perft_speed.py): a 0x88 board with piece lists, moves by offsets, legality by
 * the difference tables, make and unmake. A move of the last ply is counted without being made where the pin test
 * proves it legal.
 *
 *     gcc -O3 -march=native perft_reference.c -o perft_reference
 *     perft_reference DEPTH "FEN"      prints: nodes N  seconds S  nps N
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define S int32_t

enum { P = 1, N, B, R, Q, K };
static const int KN[8] = {-33, -31, -18, -14, 14, 18, 31, 33}, KG[8] = {-17, -16, -15, -1, 1, 15, 16, 17},
                 BD[4] = {-17, -15, 15, 17}, RD[4] = {-16, -1, 1, 16};
static int8_t OFF[8][8];
static int NOFF[8], SL[8];
static uint8_t ATT[240];
static int8_t DELTA[240];
static int ABIT[16];
static int CAS[128];

/* The state is one array: cells 0 to 127 are the board, then */
#define IDX 128  /* the place of a square's piece in its list */
#define PL 256   /* the two lists of pieces */
#define CNT 288  /* their lengths */
#define SIDE 290 /* the side to move */
#define CR 291   /* castling rights */
#define EP 292   /* the en passant square */
#define HP 293   /* the top of the undo stack, which follows */

static void init() {
    for (int i = 0; i < 8; i++) {
        OFF[N][i] = KN[i];
        OFF[K][i] = KG[i];
        OFF[Q][i] = KG[i];
    }
    for (int i = 0; i < 4; i++) {
        OFF[B][i] = BD[i];
        OFF[R][i] = RD[i];
    }
    NOFF[N] = NOFF[K] = NOFF[Q] = 8;
    NOFF[B] = NOFF[R] = 4;
    SL[Q] = SL[B] = SL[R] = 1;
    ABIT[1] = 1;
    ABIT[9] = 2;
    int b = 4;
    for (int t = N; t <= K; t++, b *= 2)
        ABIT[t] = ABIT[8 + t] = b;
    for (int f = 0; f < 128; f++)
        if (!(f & 0x88))
            for (int t = N; t <= K; t++)
                for (int k = 0; k < NOFF[t]; k++) {
                    int s = f + OFF[t][k];
                    while (!(s & 0x88)) {
                        ATT[s - f + 119] |= ABIT[t];
                        if (SL[t])
                            DELTA[s - f + 119] = OFF[t][k];
                        else
                            break;
                        s += OFF[t][k];
                    }
                }
    ATT[15 + 119] |= 1;
    ATT[17 + 119] |= 1;
    ATT[119 - 15] |= 2;
    ATT[119 - 17] |= 2;
    for (int i = 0; i < 128; i++)
        CAS[i] = 15;
    CAS[4] = 12;
    CAS[0] = 13;
    CAS[7] = 14;
    CAS[0x74] = 3;
    CAS[0x70] = 7;
    CAS[0x77] = 11;
}

static int attacked(S *s, int sq, int by) {
    S *b = s + PL + by * 16;
    int n = s[CNT + by];
    for (int i = 0; i < n; i++) {
        int f = b[i], p = s[f], d = sq - f + 119;
        if (ATT[d] & ABIT[p]) {
            int t = p & 7;
            if (t == P || t == N || t == K)
                return 1;
            int st = DELTA[d];
            f += st;
            while (f != sq && !s[f])
                f += st;
            if (f == sq)
                return 1;
        }
    }
    return 0;
}

static int gen(S *s, S *mv) {
    int n = 0, side = s[SIDE], them = side ^ 1;
    S *b = s + PL + side * 16;
    for (int i = 0; i < s[CNT + side]; i++) {
        int f = b[i], p = s[f], t = p & 7;
        if (t == P) {
            int d = side ? -16 : 16, to = f + d;
            int last = (to >> 4) == (side ? 0 : 7);
            if (!s[to]) {
                if (last) {
                    for (int pr = Q; pr >= N; pr--)
                        mv[n++] = f | to << 7 | pr << 14;
                } else {
                    mv[n++] = f | to << 7;
                    if ((f >> 4) == (side ? 6 : 1) && !s[to + d])
                        mv[n++] = f | (to + d) << 7 | 1 << 18;
                }
            }
            for (int o = d - 1; o <= d + 1; o += 2) {
                to = f + o;
                if (to & 0x88)
                    continue;
                int c = s[to];
                if (c) {
                    if ((c >> 3) == them) {
                        if (last) {
                            for (int pr = Q; pr >= N; pr--)
                                mv[n++] = f | to << 7 | pr << 14;
                        } else
                            mv[n++] = f | to << 7;
                    }
                } else if (to == s[EP])
                    mv[n++] = f | to << 7 | 1 << 17;
            }
        } else {
            int sl = SL[t];
            for (int k = 0; k < NOFF[t]; k++) {
                int o = OFF[t][k], to = f + o;
                while (!(to & 0x88)) {
                    int c = s[to];
                    if (!c)
                        mv[n++] = f | to << 7;
                    else {
                        if ((c >> 3) == them)
                            mv[n++] = f | to << 7;
                        break;
                    }
                    if (!sl)
                        break;
                    to += o;
                }
            }
        }
    }
    int cr = s[CR], k = side ? 0x74 : 4;
    if (cr & (side ? 4 : 1) && !s[k + 1] && !s[k + 2] && !attacked(s, k, them) && !attacked(s, k + 1, them))
        mv[n++] = k | (k + 2) << 7 | 1 << 19;
    if (cr & (side ? 8 : 2) && !s[k - 1] && !s[k - 2] && !s[k - 3] && !attacked(s, k, them) &&
        !attacked(s, k - 1, them))
        mv[n++] = k | (k - 2) << 7 | 1 << 19;
    return n;
}

static void rem(S *s, int q, int c) {
    int i = s[IDX + q];
    S *b = s + PL + c * 16;
    int l = b[--s[CNT + c]];
    b[i] = l;
    s[IDX + l] = i;
    s[q] = 0;
}

static void add(S *s, int q, int p) {
    int c = p >> 3;
    S *b = s + PL + c * 16;
    int i = s[CNT + c]++;
    b[i] = q;
    s[IDX + q] = i;
    s[q] = p;
}

static void mvp(S *s, int f, int t, int c) {
    int i = s[IDX + f];
    s[PL + c * 16 + i] = t;
    s[IDX + t] = i;
    s[t] = s[f];
    s[f] = 0;
}

static void make(S *s, int m) {
    int f = m & 127, t = (m >> 7) & 127, pr = (m >> 14) & 7, side = s[SIDE], them = side ^ 1;
    int h = s[HP];
    s[HP] = h + 4;
    int cap = s[t];
    s[h] = m;
    s[h + 1] = cap;
    s[h + 2] = s[CR];
    s[h + 3] = s[EP];
    if (cap)
        rem(s, t, them);
    mvp(s, f, t, side);
    s[EP] = -1;
    if (pr)
        s[t] = pr | side << 3;
    if (m & (7 << 17)) {
        if (m & (1 << 17))
            rem(s, t + (side ? 16 : -16), them);
        else if (m & (1 << 18))
            s[EP] = (f + t) >> 1;
        else if (t > f)
            mvp(s, t + 1, t - 1, side);
        else
            mvp(s, t - 2, t + 1, side);
    }
    s[CR] &= CAS[f] & CAS[t];
    s[SIDE] = them;
}

static void unmake(S *s) {
    int h = s[HP] - 4;
    s[HP] = h;
    int m = s[h], cap = s[h + 1];
    s[CR] = s[h + 2];
    s[EP] = s[h + 3];
    int them = s[SIDE], side = them ^ 1;
    s[SIDE] = side;
    int f = m & 127, t = (m >> 7) & 127, pr = (m >> 14) & 7;
    if (m & (1 << 19)) {
        if (t > f)
            mvp(s, t - 1, t + 1, side);
        else
            mvp(s, t + 1, t - 2, side);
    }
    if (pr)
        s[t] = P | side << 3;
    mvp(s, t, f, side);
    if (cap)
        add(s, t, cap);
    if (m & (1 << 17))
        add(s, t + (side ? 16 : -16), P | them << 3);
}

static S mvs[64][256];
static long perft(S *s, int depth, int ply) {
    if (!depth)
        return 1;
    S *mv = mvs[ply];
    int n = gen(s, mv);
    int side = s[SIDE], ks = s[PL + side * 16];
    int chk = attacked(s, ks, side ^ 1);
    long tot = 0;
    for (int i = 0; i < n; i++) {
        int m = mv[i], f = m & 127;
        int fast = !chk && f != ks && !(m & (1 << 17)) && !DELTA[f - ks + 119];
        if (fast && depth == 1) {
            tot++;
            continue;
        }
        make(s, m);
        if (fast || !attacked(s, s[PL + side * 16], side ^ 1))
            tot += perft(s, depth - 1, ply + 1);
        unmake(s);
    }
    return tot;
}

static void fen(S *s, const char *f) {
    memset(s, 0, 4 * 5000);
    s[HP] = 300;
    for (int pass = 0; pass < 2; pass++) {
        int r = 7, fl = 0;
        const char *c = f;
        for (; *c != ' '; c++) {
            if (*c == '/') {
                r--;
                fl = 0;
            } else if (*c >= '0' && *c <= '9')
                fl += *c - '0';
            else {
                const char *z = " PNBRQK";
                char u = *c & ~32;
                int t = strchr(z, u) - z, col = (*c & 32) ? 1 : 0;
                if ((t == K) == (pass == 0))
                    add(s, r * 16 + fl, t | col << 3);
                fl++;
            }
        }
        if (pass) {
            c++;
            s[SIDE] = *c == 'b';
            c += 2;
            for (; *c != ' '; c++) {
                if (*c == 'K')
                    s[CR] |= 1;
                if (*c == 'Q')
                    s[CR] |= 2;
                if (*c == 'k')
                    s[CR] |= 4;
                if (*c == 'q')
                    s[CR] |= 8;
            }
            c++;
            s[EP] = *c == '-' ? -1 : (c[0] - 'a') + 16 * (c[1] - '1');
        }
    }
}

static S st[5000];
int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "use: perft_reference DEPTH FEN\n");
        return 2;
    }
    init();
    fen(st, argv[2]);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    long n = perft(st, atoi(argv[1]), 0);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double s = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9;
    printf("nodes %ld  seconds %.3f  nps %.0f\n", n, s, n / s);
    return 0;
}
