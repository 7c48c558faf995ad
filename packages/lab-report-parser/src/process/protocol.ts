import type {
  EnginePart,
  FileProblemCode,
  Inspection,
  PagePicture,
  ParseOutcome,
  ParseProgress,
} from '../report.ts'

// Messages between the server and the process that reads files.

/** One task at a time: the next is sent when this one is answered. */
export type Task =
  | { kind: 'inspect' | 'parse'; files: Uint8Array[] }
  | { kind: 'render'; file: Uint8Array; page: number; width: number }

export type Reply =
  /** The process has started the task: its end is caused by the file from here on. */
  | { kind: 'begun' }
  | { kind: 'progress'; progress: ParseProgress }
  /** `isWorn`: the process uses so much memory that the next task gets a new one. */
  | { kind: 'answer'; answer: Answer; isWorn: boolean }

export type Answer =
  | { kind: 'inspected'; inspection: Inspection }
  | { kind: 'parsed'; outcome: ParseOutcome }
  | { kind: 'rendered'; picture: PagePicture }
  | { kind: 'file_problem'; code: FileProblemCode }
  | { kind: 'engine_problem'; part: EnginePart }
  /**
   * The engine failed; its message stays in the process, because it may contain text of the file.
   */
  | { kind: 'failed' }

/** End of a task without an answer; `held up`: the machine had no processor time for it. */
export type End = 'not begun' | 'died' | 'out of time' | 'held up'

/** Settings with which a process starts. */
export interface ProcessSettings {
  memoryMb: number
  /** Module with `parseLabReport`; another one in tests. */
  engine: string
  /** Descriptor of its status, if it may not open it by itself. */
  memoryDescriptor?: number | undefined
}

/** Name of the thread that wakes up now and then, whatever the task does. */
export const WATCHDOG_NAME = 'watchdog'
