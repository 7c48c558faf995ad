import { createRequire } from 'node:module'
import path from 'node:path'

import sharp from 'sharp'
import { createWorker, OEM, PSM } from 'tesseract.js'

import type { Word } from '../../src/pages/page.ts'
import { cropLine } from '../../src/recognition/crop-line.ts'
import { detectText } from '../../src/recognition/detect-text.ts'
import { loadDetectionModel, loadLatinModel, loadMainModel } from '../../src/recognition/models.ts'
import { readLines } from '../../src/recognition/read-lines.ts'
import { createRecognizer, type Recognizer } from '../../src/recognition/recognizer.ts'
import { splitWords } from '../../src/recognition/split-words.ts'

const require = createRequire(import.meta.url)

/** Ways to read a page that docs/decisions/0034-text-recognition.md compares. */
export const ENGINES: Record<string, () => Promise<Recognizer & { close?(): Promise<unknown> }>> = {
  both: createRecognizer,
  main: () => readWithOne(loadMainModel),
  latin: () => readWithOne(loadLatinModel),
  tesseract: readWithTesseract,
}

async function readWithOne(loadModel: typeof loadMainModel): Promise<Recognizer> {
  const [detector, model] = await Promise.all([loadDetectionModel(), loadModel()])
  return {
    async recognize(raster) {
      const lines = (await detectText(detector, raster, 1600)).map((region) =>
        cropLine(raster, region),
      )
      const read = await readLines(model, lines)
      return lines.flatMap((line, index) => splitWords(line, read[index] ?? []))
    },
  }
}

async function readWithTesseract(): Promise<Recognizer & { close(): Promise<unknown> }> {
  const data = path.dirname(require.resolve('@tesseract.js-data/eng/package.json'))
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: path.join(data, '4.0.0_best_int'),
    cacheMethod: 'none',
  })
  // Sparse text: the other ways of cutting a page up lose cells of tables.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT })
  return {
    async recognize(raster) {
      // It wants letters about 30 pixels high.
      const scale = raster.width < 1500 ? 2 : 1
      const picture = await sharp(raster.data, {
        raw: { width: raster.width, height: raster.height, channels: 3 },
      })
        .resize(raster.width * scale)
        .png()
        .toBuffer()
      const { data } = await worker.recognize(picture, {}, { blocks: true, text: false })
      const lines = (data.blocks ?? []).flatMap(({ paragraphs }) =>
        paragraphs.flatMap((paragraph) => paragraph.lines),
      )
      return lines.flatMap(({ words }) =>
        words.map(
          ({ text, confidence, bbox }): Word => ({
            text,
            box: {
              x: bbox.x0 / scale,
              y: bbox.y0 / scale,
              width: (bbox.x1 - bbox.x0) / scale,
              height: (bbox.y1 - bbox.y0) / scale,
            },
            confidence: confidence / 100,
            fontSize: (bbox.y1 - bbox.y0) / scale,
            isBold: false,
            color: null,
          }),
        ),
      )
    },
    close: () => worker.terminate(),
  }
}
