import type { Box, Homography } from './pages/page.ts'

// Output of the parser. Names of the wire are those of docs/contract/16-lab-report-parsing.md.

/** A piece of text with its place. */
export interface Field {
  /** As printed, with spaces between words made one. */
  text: string
  /** From 1. */
  page: number
  /** In units of the upright page that was read. */
  box: Box
  /** Confidence that text and place are right, from 0 to 1. */
  confidence: number
}

export type ResultType =
  | 'numeric'
  | 'range'
  | 'comment'
  | 'boolean'
  | 'duration'
  | 'percentage'
  | 'ratio'
export type SampleType =
  | 'urine'
  | 'serum_plasma_blood'
  | 'capillary_blood'
  | 'stool'
  | 'saliva'
  | 'other'
  | 'unknown'
export type MeasurementKind = 'direct' | 'calculated' | 'ratio' | 'unknown'
export type Sensitivity = 'sensitive' | 'insensitive' | 'unknown'
export type Interpretation = 'normal' | 'abnormal' | 'critical' | 'unknown'
export type LoincMatchStatus = 'auto_match' | 'needs_review' | 'no_match'
export type FailureReason =
  | 'invalid_input'
  | 'low_quality'
  | 'not_english'
  | 'too_many_pages'
  | 'processing_error'

/**
 * Reasons why a reading needs a look at the page: the layout does not explain its place, another
 * number of its line has no role, the name may not be an analyte, the analyte is not measured in
 * the unit, the value is impossible, the printed flag contradicts it, recognition was unsure, or
 * another value is given for the same.
 */
export const DOUBTS = [
  'place',
  'parts',
  'name',
  'unit',
  'value',
  'flag',
  'legibility',
  'repeated',
] as const
export type Doubt = (typeof DOUBTS)[number]

/** A row of a report as printed, without interpretation. */
export interface ReportRow {
  name: Field
  value: Field
  unit: Field | null
  /** The reference interval in the words of the report. */
  range: Field | null
  /** `H`, `Low`, `*` and other marks of a value. */
  flag: Field | null
  /** The nearest heading above the row. */
  panel: Field | null
  /** Specimen by the row, its panel or its section. */
  sampleType: SampleType
  /** Kind of its region; null for a plain table or list of results. */
  region?: RegionKind | null
}

/** Kinds of regions that are no plain table or list of results. */
export type RegionKind =
  | 'cumulative_table'
  | 'transposed_table'
  | 'drug_screen'
  | 'allergy_panel'
  | 'antibiogram'
  | 'genotypes'
  | 'legend'
  | 'narrative'

/** A region with results that were not read, or not completely, because they are ambiguous. */
export interface UnreadRegion {
  kind: Exclude<RegionKind, 'legend'>
  /** From 1. */
  page: number
}

/** A candidate for the measurement of a row; there are at most five, the best first. */
export interface LoincMatch {
  code: string
  /** LOINC long common name. */
  name: string
  /** LOINC short name, or the usual name. */
  displayName: string
  aliases: string[]
  /** 0 to 1: certainty of the candidate, not of the reading. */
  score: number
}

export interface ReportResult extends ReportRow {
  type: ResultType
  /** Unit in UCUM; null without a unit, or with one that is not understood. */
  ucumUnit: string | null
  /** Value as a number in that unit, with its decimal sign interpreted; null for other values. */
  number: number | null
  /** Bounds of the printed interval, in the printed unit; null where open or not numeric. */
  low: number | null
  high: number | null
  measurementKind: MeasurementKind
  sensitivity: Sensitivity
  interpretation: Interpretation
  isAboveHigh: boolean | null
  isBelowLow: boolean | null
  loincMatches: LoincMatch[]
  loincMatchStatus: LoincMatchStatus
  /** Empty if the reading is reliable. */
  doubts: Doubt[]
}

/** Fields of the header of a report, as printed. */
export interface ReportHeader {
  patientFirstName: Field | null
  patientLastName: Field | null
  dateOfBirth: Field | null
  gender: { value: 'male' | 'female' | 'other'; field: Field } | null
  labName: Field | null
  dateReported: Field | null
  dateCollected: Field | null
  specimenNumber: Field | null
}

/** A page as it was read. */
export interface ReportPage {
  number: number
  width: number
  height: number
  source: 'text_layer' | 'recognized'
  toSource: Homography | null
  sourceSize: { width: number; height: number }
}

/**
 * Hints about a patient besides the header: an age, and whether the report is about several people.
 */
export interface PatientHints {
  age: Field | null
  /** Names beside labels of patients that differ from the first one. */
  others: { first: string | null; last: string | null }[]
}

export interface LabReport {
  /** ISO 639-1. */
  language: string
  header: ReportHeader
  /** Absent in readings of older versions. */
  patient?: PatientHints
  results: ReportResult[]
  /**
   * Regions of results that were not read; a report with any needs a look. Absent in readings of
   * older versions.
   */
  unread?: UnreadRegion[]
  pages: ReportPage[]
}

/**
 * Outcome of parsing a file: a report, or the reason for none (constant words, nothing of the
 * file).
 */
export type ParseOutcome =
  | { status: 'parsed'; report: LabReport }
  | { status: 'failed'; reason: FailureReason; detail: string }

/** Reasons why a file is refused before a job: codes of the contract. */
export type FileProblemCode =
  | 'unsupported_file_type'
  | 'empty_file'
  | 'pdf_in_multi_upload'
  | 'unreadable_file'
  | 'too_many_pages'

/** A file that cannot become a job. */
export class FileProblem extends Error {
  readonly code: FileProblemCode

  constructor(code: FileProblemCode) {
    super(code)
    this.code = code
  }
}

/** Parts of an installation that some or all files need. */
export type EnginePart = 'process' | 'pdfium' | 'sharp' | 'onnxruntime-node'

/** A part cannot be loaded or started: the installation or the machine is at fault, not a file. */
export class EngineProblem extends Error {
  readonly part: EnginePart

  constructor(part: EnginePart) {
    super(`${part} cannot be started`)
    this.part = part
  }
}

/** Result of inspecting files without parsing them. */
export interface Inspection {
  type: 'pdf' | 'jpeg' | 'png'
  pages: number
}

/** A page as its viewer shows it. */
export interface PagePicture {
  jpeg: Uint8Array
  width: number
  height: number
}

/** Progress of parsing. */
export interface ParseProgress {
  page: number
  pages: number
}

/** Parses laboratory reports in separate processes, so that no file can harm the server. */
/** Protections of the system from a reader that a file has taken over. */
export const READER_PROTECTIONS = [
  'files',
  'writing',
  'network',
  'local_sockets',
  'programs',
  'server',
] as const
export type ReaderProtection = (typeof READER_PROTECTIONS)[number]

export interface LabReportParser {
  /** Inspects the files of one report. @throws {FileProblem} @throws {EngineProblem} */
  inspect(files: readonly Uint8Array[]): Promise<Inspection>
  /**
   * Parses one report: a PDF, or images that are its pages in order. Never rejects for the contents
   * of files; a process that died, or used too much time or memory, is `processing_error`.
   */
  parse(
    files: readonly Uint8Array[],
    options?: { signal?: AbortSignal; onProgress?: (progress: ParseProgress) => void },
  ): Promise<ParseOutcome>
  /**
   * Renders a page of an uploaded file as a picture.
   * @param page from 1, within the file
   * @param width in pixels; a photo is never enlarged
   * @throws {FileProblem} `unreadable_file`
   * @throws {EngineProblem}
   */
  renderPage(file: Uint8Array, page: number, width: number): Promise<PagePicture>
  /** Ends its processes, and gives up running tasks. */
  close(): Promise<void>
}
