/* The header offers what the contract promises, with the same signatures and values. */
#define ZARRC_CONTRACT_CHECK
#include "zarrc.h"

#include "contract.h"

int main(void) {
  return 0;
}
