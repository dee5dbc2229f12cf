/* The area of conformance that the library here lacks: the tools' interface. */
void tools(void) {}
