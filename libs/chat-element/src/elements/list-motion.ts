/** Where each entry of a list is, in pixels from the top of the list. */
type Places = ReadonlyMap<HTMLElement, number>;

/** An entry that comes from further away, such as the last of a long list, starts this many pixels from its place. */
const maxDistance = 400;

/** To be called before the list is rendered. */
export function placesOf(entries: Iterable<HTMLElement>): Places {
  return new Map(Array.from(entries, (entry) => [entry, entry.offsetTop]));
}

/** Lets the entries of a rendered list glide from their former places. */
export function glideFrom(places: Places): void {
  for (const [entry, former] of places) {
    const distance = entry.isConnected ? former - entry.offsetTop : 0;
    if (distance === 0) continue;
    const start = Math.max(-maxDistance, Math.min(maxDistance, distance));
    const style = getComputedStyle(entry);
    entry.animate(
      { translate: [`0 ${start}px`, '0 0'] },
      // Without motion it is over at once.
      { duration: parseFloat(style.getPropertyValue('--_slow')), easing: style.getPropertyValue('--_ease') },
    );
  }
}
