import { Tensor } from 'onnxruntime-node'

import { type LineImage, lineHeight } from './crop-line.ts'
import type { ReadingModel } from './models.ts'

/** A recognized character. */
export interface Character {
  text: string
  /** Middle of its position, in pixels of the line image. */
  x: number
  /** 0 to 1. */
  confidence: number
  /** How likely the letter is with each accent and without; empty for other signs. */
  variants: ReadonlyMap<string, number>
}

/** Lines of similar length are read in one batch, padded to the longest. */
const linesPerBatch = 8
/** Shorter lines are padded to it. */
const leastWidth = 96
/** A lone letter needs more padding: `C` would be read as `c`. */
const lettersWidth = { upTo: 64, padded: 160 }
/** In a batch no line may be this much longer than another. */
const widthSpread = 1.2

/** Reads lines. @returns for each line its characters from left to right, spaces among them */
export async function readLines(
  model: ReadingModel,
  lines: readonly LineImage[],
): Promise<Character[][]> {
  const order = lines.map((_, index) => index).sort((a, b) => lines[a]!.width - lines[b]!.width)
  const results: Character[][] = lines.map(() => [])
  while (order.length > 0) {
    const shortest = lines[order[0]!]!.width
    const limit =
      shortest <= lettersWidth.upTo
        ? lettersWidth.upTo
        : Math.max(leastWidth, shortest * widthSpread)
    let count = 1
    while (count < linesPerBatch && count < order.length && lines[order[count]!]!.width <= limit) {
      count++
    }
    const batch = order.splice(0, count)
    const read = await readBatch(
      model,
      batch.map((index) => lines[index]!),
    )
    batch.forEach((index, position) => {
      results[index] = read[position]!
    })
  }
  return results
}

async function readBatch(model: ReadingModel, lines: readonly LineImage[]): Promise<Character[][]> {
  const longest = Math.max(...lines.map((line) => line.width))
  const least = longest <= lettersWidth.upTo ? lettersWidth.padded : leastWidth
  const width = Math.max(least, Math.ceil(longest / 8) * 8)
  const plane = lineHeight * width
  const planes = new Float32Array(lines.length * 3 * plane)
  lines.forEach((line, index) => {
    for (let row = 0; row < lineHeight; row++) {
      for (let column = 0; column < line.width; column++) {
        const pixel = (row * line.width + column) * 3
        const target = index * 3 * plane + row * width + column
        for (let channel = 0; channel < 3; channel++) {
          // Blue first, as the models were trained.
          planes[target + channel * plane] = line.data[pixel + 2 - channel]! / 127.5 - 1
        }
      }
    }
  })
  const { session } = model
  const input = new Tensor('float32', planes, [lines.length, 3, lineHeight, width])
  const output = (await session.run({ [session.inputNames[0]!]: input }))[session.outputNames[0]!]!
  const [, steps, classes] = output.dims as [number, number, number]
  const data = output.data as Float32Array
  return lines.map((_, index) =>
    decodeSteps(
      data.subarray(index * steps * classes, (index + 1) * steps * classes),
      model,
      width / steps,
    ),
  )
}

/**
 * Best path of connectionist temporal classification: of each step the likeliest class, repetitions
 * joined, blanks dropped.
 */
function decodeSteps(
  probabilities: Float32Array,
  { alphabet, same, variants }: ReadingModel,
  stepWidth: number,
): Character[] {
  const labels = [...alphabet.keys()].filter((label) => alphabet[label] !== undefined)
  const characters: Character[] = []
  let previous = 0
  let first = 0
  for (let step = 0; step * alphabet.length < probabilities.length; step++) {
    const row = probabilities.subarray(step * alphabet.length, (step + 1) * alphabet.length)
    for (const [label, meant] of same) row[meant] = row[meant]! + row[label]!
    let best = 0
    for (const label of labels) if (row[label]! > row[best]!) best = label
    const text = alphabet[best]
    if (text) {
      const isRepeated = best === previous && characters.length > 0
      if (!isRepeated) first = step
      const last = isRepeated ? characters.pop() : undefined
      const confidence = Math.min(1, row[best]!)
      const likelihoods = new Map(
        variants.get(best)?.map((label) => [alphabet[label]!, row[label]!]),
      )
      const likeliest =
        last && last.confidence >= confidence ? last : { confidence, variants: likelihoods }
      characters.push({ ...likeliest, text, x: ((first + step + 1) / 2) * stepWidth })
    }
    previous = best
  }
  return characters
}
