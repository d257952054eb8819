// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer and bit intrinsics, one result each, on a pair of arguments.
extern "C" __global__ void bit_tricks(unsigned const* a, unsigned const* b, unsigned* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned const x = a[i];
    unsigned const y = b[i];
    auto const sx = static_cast<int>(x);
    auto const sy = static_cast<int>(y);
    unsigned* const to = out + i * 24;
    to[0] = __popc(x);
    to[1] = __clz(sx);
    to[2] = __brev(x);
    to[3] = __ffs(sx);
    to[4] = __byte_perm(x, y, 0x3715);
    to[5] = __funnelshift_l(x, y, y & 63);
    to[6] = __funnelshift_rc(x, y, y & 63);
    to[7] = __umulhi(x, y);
    to[8] = static_cast<unsigned>(__mulhi(sx, sy));
    to[9] = __sad(sx, sy, 5u);
    to[10] = static_cast<unsigned>(__dp4a(sx, sy, 7));
    to[11] = __dp4a(x, y, 7u);
    to[12] = (x & y) ^ (~x | 0x0f0f0f0fu);
    to[13] = y != 0 ? x / y : 0;
    to[14] = y != 0 ? x % y : 0;
    to[15] = sy != 0 ? static_cast<unsigned>(sx / (sy | 1)) : 0;
    to[16] = sy != 0 ? static_cast<unsigned>(sx % (sy | 1)) : 0;
    to[17] = static_cast<unsigned>(sx >> (y & 31));
    to[18] = x << (y & 31);
    to[19] = static_cast<unsigned>(max(sx, sy) - min(sx, sy));
    to[20] = static_cast<unsigned>(abs(sx));
    to[21] = static_cast<unsigned>(__mul24(sx, sy));
    to[22] = __uhadd(x, y);
    to[23] = __fns(x, y & 31, 1 + static_cast<int>(y >> 28));
}
extern "C" __global__ void wide_integers(long long const* a, long long const* b, long long* out, int n) {
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    long long const x = a[i];
    long long const y = b[i];
    long long* const to = out + i * 10;
    to[0] = x * y;
    to[1] = __mul64hi(x, y);
    to[2] = static_cast<long long>(__umul64hi(static_cast<unsigned long long>(x), static_cast<unsigned long long>(y)));
    to[3] = y != 0 && y != -1 ? x / y : 0;
    to[4] = y != 0 && y != -1 ? x % y : 0;
    to[5] = __popcll(x) + __clzll(x) * 100 + __ffsll(x) * 10000;
    to[6] = static_cast<long long>(__brevll(static_cast<unsigned long long>(x)));
    to[7] = x >> (y & 63);
    to[8] = static_cast<long long>(static_cast<unsigned long long>(x) >> (y & 63));
    __int128 const wide = static_cast<__int128>(x) * 3 + y;
    to[9] = static_cast<long long>(wide >> 64);
}
extern "C" __global__ void xorshift(unsigned* state, unsigned* out, int rounds) { // the integer speed test
    unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = state[i];
    unsigned sum = 0;
    for (int k = 0; k < rounds; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        sum += x & 0xff;
    }
    state[i] = x;
    out[i] = sum;
}
