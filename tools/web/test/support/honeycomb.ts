import { PNG } from 'pngjs';

const columns = 4;
const honey = [242, 163, 13] as const;
const wax = [120, 66, 8] as const;

/** @returns a PNG of a comb that gets darker from left to right */
export function honeycomb(width: number, height: number): Buffer {
  const png = new PNG({ width, height });
  const radius = width / (columns * Math.sqrt(3));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const light = 1 - (0.5 * x) / width;
      const color = (wallDistance(x, y, radius) < radius / 12 ? wax : honey).map((part) => part * light);
      png.data.set([...color, 255], 4 * (y * width + x));
    }
  return PNG.sync.write(png);
}

/** The distance from a point to the nearest wall of its cell. Cells are hexagons with a corner at the top. */
function wallDistance(x: number, y: number, radius: number): number {
  const [cellWidth, rowHeight] = [Math.sqrt(3) * radius, 1.5 * radius];
  const row = Math.round(y / rowHeight);
  const distances: number[] = [];
  for (const r of [row - 1, row, row + 1]) {
    const shift = r % 2 === 0 ? 0 : cellWidth / 2;
    const column = Math.round((x - shift) / cellWidth);
    for (const c of [column - 1, column, column + 1])
      distances.push(Math.hypot(x - (c * cellWidth + shift), y - r * rowHeight));
  }
  const [nearest = 0, next = 0] = distances.toSorted((a, b) => a - b);
  // The wall is halfway between two centers.
  return (next - nearest) / 2;
}
