/** Connected dark pixels: a letter, a dot, a rule, or another mark on a page. */
export interface Shape {
  left: number
  top: number
  /** Right and bottom are the first pixels that do not belong to it. */
  right: number
  bottom: number
  /** Pixels. */
  area: number
}

/** Finds connected pixels, by edges or corners, in a picture of ones and zeros. */
export function findShapes(ink: Uint8Array, width: number, height: number): Shape[] {
  // Two passes over the rows; labels that meet are joined in a tree whose root is the smallest.
  const labels = new Int32Array(width * height)
  const parents: number[] = [0]
  const rootOf = (label: number): number => {
    let root = label
    while (parents[root] !== root) root = parents[root] as number
    for (let at = label; parents[at] !== root; ) {
      const next = parents[at] as number
      parents[at] = root
      at = next
    }
    return root
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const p = y * width + x
      if (!ink[p]) continue
      let label = x > 0 ? (labels[p - 1] as number) : 0
      for (let dx = -1; y > 0 && dx <= 1; dx++) {
        if (x + dx < 0 || x + dx >= width) continue
        const above = labels[p - width + dx] as number
        if (!above || above === label) continue
        if (!label) label = above
        else {
          const [one, other] = [rootOf(label), rootOf(above)]
          parents[Math.max(one, other)] = Math.min(one, other)
          label = Math.min(one, other)
        }
      }
      if (!label) {
        label = parents.length
        parents.push(label)
      }
      labels[p] = label
    }
  }
  return collectShapes(labels, width, height, parents.length, rootOf)
}

function collectShapes(
  labels: Int32Array,
  width: number,
  height: number,
  count: number,
  rootOf: (label: number) => number,
): Shape[] {
  const roots = Int32Array.from({ length: count }, (_, label) => rootOf(label))
  const shapes: (Shape | undefined)[] = new Array(count)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const label = labels[y * width + x] as number
      if (!label) continue
      const root = roots[label] as number
      const shape = shapes[root]
      if (!shape) shapes[root] = { left: x, top: y, right: x + 1, bottom: y + 1, area: 1 }
      else {
        if (x < shape.left) shape.left = x
        if (x >= shape.right) shape.right = x + 1
        shape.bottom = y + 1
        shape.area += 1
      }
    }
  }
  return shapes.filter((shape) => shape !== undefined)
}

/** Returns the middle of numbers; 0 without any. */
export function medianOf(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0
}
