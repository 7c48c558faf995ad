import type { Raster, Word } from '../pages/page.ts'
import { combineReadings, needsSecondReading } from './combine-readings.ts'
import { cropLine } from './crop-line.ts'
import { detectText } from './detect-text.ts'
import { loadDetectionModel, loadLatinModel, loadMainModel } from './models.ts'
import { readLines } from './read-lines.ts'
import { splitWords } from './split-words.ts'

/** Recognizes text in pictures of pages. */
export interface Recognizer {
  /**
   * Returns the words of an upright page, unordered, with boxes and letter sizes in pixels of the
   * raster.
   */
  recognize(raster: Raster): Promise<Word[]>
}

/** Longer side of a page in which text is detected. */
const detectionSide = 1600

/** Loads the models: some 25 MB, from the disk, never from a network. */
export async function createRecognizer(): Promise<Recognizer> {
  const [detector, main, latin] = await Promise.all([
    loadDetectionModel(),
    loadMainModel(),
    loadLatinModel(),
  ])
  return {
    async recognize(raster) {
      const regions = await detectText(detector, raster, detectionSide)
      const lines = regions.map((region) => cropLine(raster, region))
      const read = await readLines(main, lines)
      const doubtful = [...lines.keys()].filter((index) => needsSecondReading(read[index]!))
      const reread = await readLines(
        latin,
        doubtful.map((index) => lines[index]!),
      )
      for (const [position, index] of doubtful.entries()) {
        read[index] = combineReadings(read[index]!, reread[position]!)
      }
      return lines.flatMap((line, index) => splitWords(line, read[index]!))
    },
  }
}
