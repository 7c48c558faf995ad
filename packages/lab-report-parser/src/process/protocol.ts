import type {
  EnginePart,
  FileProblemCode,
  Inspection,
  PagePicture,
  ParseOutcome,
  ParseProgress,
} from '../report.ts'

// What goes between the server and the process that reads files.

/** One at a time: the next is sent when this one is answered. */
export type Task =
  | { kind: 'inspect' | 'parse'; files: Uint8Array[] }
  | { kind: 'render'; file: Uint8Array; page: number; width: number }

export type Reply =
  /** The process is up and has the task: what ends it from here on is the doing of the file. */
  | { kind: 'begun' }
  | { kind: 'progress'; progress: ParseProgress }
  /** `isWorn`: the process holds so much memory that the next task gets a new one. */
  | { kind: 'answer'; answer: Answer; isWorn: boolean }

export type Answer =
  | { kind: 'inspected'; inspection: Inspection }
  | { kind: 'parsed'; outcome: ParseOutcome }
  | { kind: 'rendered'; picture: PagePicture }
  | { kind: 'file_problem'; code: FileProblemCode }
  | { kind: 'engine_problem'; part: EnginePart }
  /** The engine broke; what it says stays in the process, because it may hold text of the file. */
  | { kind: 'failed' }

/** How a task ended without an answer: `held up` by the machine, which had no processor for it. */
export type End = 'not begun' | 'died' | 'out of time' | 'held up'

/** What a process is started with. */
export interface ProcessSettings {
  memoryMb: number
  /** Module that has `parseLabReport`; another one in tests. */
  engine: string
  /** Where it reads its status, when it may not open it by itself. */
  memoryDescriptor?: number | undefined
}

/** The thread of a process that is awake now and then whatever its task does. */
export const WATCHDOG_NAME = 'watchdog'
