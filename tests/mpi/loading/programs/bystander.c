/* A library that comes and goes. */
int bystander(void) {
  return 0;
}
