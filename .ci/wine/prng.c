/* What Wine 8 lacks of bcryptprimitives.dll: the one function that a Rust program asks it for. For tests alone. */
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *to, unsigned long long length) {
    while (length > 0) {
        unsigned long part = length > 65536 ? 65536 : (unsigned long)length;
        if (!SystemFunction036(to, part)) {
            return 0;
        }
        to += part;
        length -= part;
    }
    return 1;
}
