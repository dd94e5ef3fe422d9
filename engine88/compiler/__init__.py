"""The only modules that know Numba's internals."""
