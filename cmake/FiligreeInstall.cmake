# What `make install` copies.
