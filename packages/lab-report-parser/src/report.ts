import type { Box, Homography } from './pages/page.ts'

// What the parser says. The words of the wire are those of docs/contract/16-lab-report-parsing.md.

/** A piece of text and where it stands. */
export interface Field {
  /** As printed, with spaces between words made one. */
  text: string
  /** From 1. */
  page: number
  /** In units of the upright page that was read. */
  box: Box
  /** That it is read and placed right, from 0 to 1. */
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
 * Why a reading is not to be relied on without a look at the page: its place in the layout is not
 * explained, another number of its line has no role, the name may be no analyte, the unit is none
 * of the analyte, nobody can have the value, the printed flag says otherwise, recognition was not
 * sure, or another value is given for the same.
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

/** One row of a report as it is printed, before anything is made of it. */
export interface ReportRow {
  name: Field
  value: Field
  unit: Field | null
  /** The reference interval in the words of the report. */
  range: Field | null
  /** `H`, `Low`, `*` and whatever else marks a value. */
  flag: Field | null
  /** The nearest heading above the row. */
  panel: Field | null
  /** What the row, its panel or its section says was examined. */
  sampleType: SampleType
  /** What it stands in; null where that is a plain table or list of results. */
  region?: RegionKind | null
}

/** What a stretch of a report is, as far as it is no plain table or list of results. */
export type RegionKind =
  | 'cumulative_table'
  | 'transposed_table'
  | 'drug_screen'
  | 'allergy_panel'
  | 'antibiogram'
  | 'genotypes'
  | 'legend'
  | 'narrative'

/**
 * A stretch that holds results which were not read, or not all, because it is not clear which they
 * are.
 */
export interface UnreadRegion {
  kind: Exclude<RegionKind, 'legend'>
  /** From 1. */
  page: number
}

/** A candidate for what the row measures; at most five, the best first. */
export interface LoincMatch {
  code: string
  /** LOINC long common name. */
  name: string
  /** LOINC short name, or what people call it. */
  displayName: string
  aliases: string[]
  /** 0 to 1: of the candidate, not of the reading. */
  score: number
}

export interface ReportResult extends ReportRow {
  type: ResultType
  /** The unit in UCUM; null where it has none or is not understood. */
  ucumUnit: string | null
  /**
   * The value as a number in that unit, with its decimal sign understood; null unless it is one.
   */
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
  /** None where the reading is sure. */
  doubts: Doubt[]
}

/** Facts of the head of a report, as printed. */
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

/** One page as it was read. */
export interface ReportPage {
  number: number
  width: number
  height: number
  source: 'text_layer' | 'recognized'
  toSource: Homography | null
  sourceSize: { width: number; height: number }
}

/**
 * What tells of a patient besides the head: an age, and whether the report is of several people.
 */
export interface PatientHints {
  age: Field | null
  /** Names beside labels of patients that are not printed as the first one is. */
  others: { first: string | null; last: string | null }[]
}

export interface LabReport {
  /** ISO 639-1. */
  language: string
  header: ReportHeader
  /** Not there in what was read before it was looked for. */
  patient?: PatientHints
  results: ReportResult[]
  /**
   * Where results stand that are not among these; a report that has any is to be looked at. Not
   * there in what was read before it was looked for.
   */
  unread?: UnreadRegion[]
  pages: ReportPage[]
}

/** What comes of a file: a report, or why there is none (constant words, nothing of the file). */
export type ParseOutcome =
  | { status: 'parsed'; report: LabReport }
  | { status: 'failed'; reason: FailureReason; detail: string }

/** Why a file is refused before a job is made of it: codes of the contract. */
export type FileProblemCode =
  | 'unsupported_file_type'
  | 'empty_file'
  | 'pdf_in_multi_upload'
  | 'unreadable_file'
  | 'too_many_pages'

/** A file that no job is made of. */
export class FileProblem extends Error {
  readonly code: FileProblemCode

  constructor(code: FileProblemCode) {
    super(code)
    this.code = code
  }
}

/** Parts of an installation without which some files, or none, can be read. */
export type EnginePart = 'process' | 'pdfium' | 'sharp' | 'onnxruntime-node'

/**
 * A part cannot be loaded or started: the fault of the installation or the machine, not of a file.
 */
export class EngineProblem extends Error {
  readonly part: EnginePart

  constructor(part: EnginePart) {
    super(`${part} cannot be started`)
    this.part = part
  }
}

/** What a quick look at files, without reading them, found. */
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

/** How far reading has come. */
export interface ParseProgress {
  page: number
  pages: number
}

/** Reads laboratory reports in processes of their own, so that no file can hurt the server. */
/**
 * What a process that reads files is kept from by the system, even when a file has taken it over.
 */
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
  /** Looks at the files of one report. @throws {FileProblem} @throws {EngineProblem} */
  inspect(files: readonly Uint8Array[]): Promise<Inspection>
  /**
   * Reads one report: a PDF, or images that are its pages in order. Never rejects for what is in
   * the files; a process that died, or took too much time or memory, is `processing_error`.
   */
  parse(
    files: readonly Uint8Array[],
    options?: { signal?: AbortSignal; onProgress?: (progress: ParseProgress) => void },
  ): Promise<ParseOutcome>
  /**
   * A picture of a page of one uploaded file, which stands in for the page where it is looked at.
   * @param page from 1, within the file
   * @param width in pixels; a photo is never made larger than it is
   * @throws {FileProblem} `unreadable_file`
   * @throws {EngineProblem}
   */
  renderPage(file: Uint8Array, page: number, width: number): Promise<PagePicture>
  /** Ends its processes; what is being parsed is given up. */
  close(): Promise<void>
}
