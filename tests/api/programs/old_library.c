/* What an older libkith.so is to `import kith`: kith.h is there, handles as integers are not. */
int kith_reorder(void);
int kith_reorder(void) {
  return 0;
}
