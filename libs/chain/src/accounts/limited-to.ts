/** Options of an LRUCache. Its `max` would allocate the memory for all entries at once: 5 ms of CPU time for 20,000. */
export function limitedTo(maxEntries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: maxEntries, sizeCalculation: () => 1 };
}
