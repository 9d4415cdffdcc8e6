let count = 0;

export function increased(): number {
  return ++count;
}
