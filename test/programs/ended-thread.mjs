// A thread that ends at once.
