import type { Raster } from '../pages/page.ts'

/** Color of the paper on a grid of tiles, under the light of the photo. */
export interface Lighting {
  tile: number
  columns: number
  rows: number
  /** Red, green and blue of each tile, row by row. */
  paper: Float32Array
  /** Darkest and brightest tile of paper by luminance, without extremes. */
  darkest: number
  brightest: number
}

/**
 * Largest change of paper from tile to tile; a printed band or the edge of a table changes more.
 */
const MOST_CHANGE = 0.87
/** Paper that is this bright, and even, is left unchanged. */
const WHITE = 222
const EVEN = 0.9

const luminance = (red: number, green: number, blue: number): number =>
  0.3 * red + 0.59 * green + 0.11 * blue

/** Returns the mean color of the brighter pixels of a tile. */
function measureTile(raster: Raster, tile: number, column: number, row: number): number[] {
  const { width, height, data } = raster
  const [right, bottom] = [Math.min(width, (column + 1) * tile), Math.min(height, (row + 1) * tile)]
  const counts = new Uint32Array(256)
  let seen = 0
  for (let y = row * tile; y < bottom; y += 2) {
    for (let x = column * tile; x < right; x += 2) {
      const p = (y * width + x) * 3
      const level =
        ((data[p] as number) * 77 + (data[p + 1] as number) * 150 + (data[p + 2] as number) * 29) >>
        8
      counts[level] = (counts[level] as number) + 1
      seen += 1
    }
  }
  let threshold = 255
  for (let above = 0; threshold > 0; threshold--) {
    above += counts[threshold] as number
    if (above >= seen * 0.4) break
  }
  const sums = [0, 0, 0]
  let count = 0
  for (let y = row * tile; y < bottom; y += 2) {
    for (let x = column * tile; x < right; x += 2) {
      const p = (y * width + x) * 3
      const [red, green, blue] = [data[p] as number, data[p + 1] as number, data[p + 2] as number]
      if ((red * 77 + green * 150 + blue * 29) >> 8 < threshold) continue
      sums[0] = (sums[0] as number) + red
      sums[1] = (sums[1] as number) + green
      sums[2] = (sums[2] as number) + blue
      count += 1
    }
  }
  return sums.map((sum) => sum / Math.max(1, count))
}

/**
 * Returns the tiles of paper: those that are connected to bright ones by small changes of light.
 */
function findPaper(levels: Float32Array, columns: number, rows: number): Uint8Array {
  const sorted = Float32Array.from(levels).sort()
  const bright = (sorted[Math.floor(sorted.length * 0.9)] as number) * 0.95
  const isPaper = new Uint8Array(levels.length)
  const queue: number[] = []
  for (let k = 0; k < levels.length; k++) {
    if ((levels[k] as number) < bright) continue
    isPaper[k] = 1
    queue.push(k)
  }
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [column, row] = [next % columns, Math.floor(next / columns)]
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const [x, y] = [column + dx, row + dy]
      if (x < 0 || y < 0 || x >= columns || y >= rows) continue
      const k = y * columns + x
      const [one, other] = [levels[next] as number, levels[k] as number]
      if (isPaper[k] || Math.min(one, other) < MOST_CHANGE * Math.max(one, other)) continue
      isPaper[k] = 1
      queue.push(k)
    }
  }
  return isPaper
}

/** Gives other tiles the light of those around them, ring by ring. */
function spreadPaper(
  paper: Float32Array,
  isPaper: Uint8Array,
  columns: number,
  rows: number,
): void {
  let known = Uint8Array.from(isPaper)
  for (let isMissing = known.includes(0); isMissing; ) {
    const next = Uint8Array.from(known)
    for (let k = 0; k < known.length; k++) {
      if (known[k]) continue
      const [column, row] = [k % columns, Math.floor(k / columns)]
      let count = 0
      const sums = [0, 0, 0]
      for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
        for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
          const from = y * columns + x
          if (!known[from]) continue
          count += 1
          for (let c = 0; c < 3; c++)
            sums[c] = (sums[c] as number) + (paper[from * 3 + c] as number)
        }
      }
      if (count === 0) continue
      for (let c = 0; c < 3; c++) paper[k * 3 + c] = (sums[c] as number) / count
      next[k] = 1
    }
    known = next
    isMissing = known.includes(0)
  }
}

/** Measures the light on a page. */
export function measureLighting(raster: Raster): Lighting {
  const tile = Math.max(12, Math.round(Math.max(raster.width, raster.height) / 64))
  const [columns, rows] = [Math.ceil(raster.width / tile), Math.ceil(raster.height / tile)]
  const paper = new Float32Array(columns * rows * 3)
  const levels = new Float32Array(columns * rows)
  for (let k = 0; k < levels.length; k++) {
    const color = measureTile(raster, tile, k % columns, Math.floor(k / columns))
    paper.set(color, k * 3)
    levels[k] = luminance(color[0] as number, color[1] as number, color[2] as number)
  }
  const isPaper = findPaper(levels, columns, rows)
  const reached = levels.filter((_, k) => isPaper[k]).sort()
  spreadPaper(paper, isPaper, columns, rows)
  return {
    tile,
    columns,
    rows,
    paper,
    darkest: reached[Math.floor(reached.length * 0.02)] as number,
    brightest: reached[Math.floor(reached.length * 0.98)] as number,
  }
}

export function isEvenlyLit({ darkest, brightest }: Lighting): boolean {
  return darkest >= WHITE && darkest >= EVEN * brightest
}

/** Whitens paper, and darkens faded ink: divides each color by the light. */
export function evenLighting(raster: Raster, lighting: Lighting): Raster {
  const { width, height, data } = raster
  const { tile, columns, rows, paper } = lighting
  // The light between the middles of tiles, for every column of pixels and every row of tiles.
  const across = new Float32Array(rows * width * 3)
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < width; x++) {
      const position = Math.min(Math.max((x + 0.5) / tile - 0.5, 0), columns - 1)
      const left = Math.floor(position)
      const right = Math.min(left + 1, columns - 1)
      for (let c = 0; c < 3; c++) {
        const one = paper[(row * columns + left) * 3 + c] as number
        const other = paper[(row * columns + right) * 3 + c] as number
        across[(row * width + x) * 3 + c] = one + (other - one) * (position - left)
      }
    }
  }
  const even = new Uint8Array(data.length)
  const counts = new Uint32Array(256)
  for (let y = 0; y < height; y++) {
    const position = Math.min(Math.max((y + 0.5) / tile - 0.5, 0), rows - 1)
    const top = Math.floor(position)
    const part = position - top
    const up = top * width * 3
    const low = Math.min(top + 1, rows - 1) * width * 3
    const line = y * width * 3
    for (let k = 0; k < width * 3; k++) {
      const one = across[up + k] as number
      const light = one + ((across[low + k] as number) - one) * part
      // A little more than the paper, so that its grain becomes white too.
      const value = ((data[line + k] as number) * 258) / Math.max(light, 24)
      even[line + k] = value > 255 ? 255 : value
      if (k % 3 === 1)
        counts[even[line + k] as number] = (counts[even[line + k] as number] as number) + 1
    }
  }
  darkenInk(even, counts)
  return { width, height, data: even }
}

/** If the darkest hundredth of a page is gray, its ink has faded, and contrast is stretched. */
function darkenInk(data: Uint8Array, counts: Uint32Array): void {
  let ink = 0
  for (let below = 0; ink < 255; ink++) {
    below += counts[ink] as number
    if (below >= data.length / 3 / 100) break
  }
  if (ink < 90 || ink > 225) return
  const by = Math.min(3, 215 / (255 - ink))
  for (let k = 0; k < data.length; k++)
    data[k] = Math.max(0, 255 - (255 - (data[k] as number)) * by)
}
