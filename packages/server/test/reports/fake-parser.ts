import {
  EngineProblem,
  type Field,
  FileProblem,
  type LabReport,
  type LabReportParser,
  type ParseOutcome,
  type ReportResult,
} from '@salus/lab-report-parser'

type Parse = LabReportParser['parse']

/** A parser without processes: it answers what a test gives it, and finds no fault in files. */
export interface FakeParser extends LabReportParser {
  /** What comes of the next reports; a report of one result unless a test says otherwise. */
  parse: Parse
  /** Number of calls. */
  parsed: number
}

export function createFakeParser(parse: Parse = async () => parsedReport()): FakeParser {
  const parser: FakeParser = {
    parsed: 0,
    async inspect(files) {
      const [first] = files
      const text = Buffer.from(first ?? []).toString('latin1')
      if (text.includes('busy machine')) throw new EngineProblem('process')
      if (text.includes('/Encrypt')) throw new FileProblem('unreadable_file')
      const pages = files.length > 1 ? files.length : text.split('/Page ').length - 1 || 1
      if (pages > 20) throw new FileProblem('too_many_pages')
      return { type: text.startsWith('%PDF-') ? 'pdf' : 'png', pages }
    },
    async parse(...given) {
      parser.parsed += 1
      return parse(...given)
    },
    async renderPage(file, page, width) {
      const text = Buffer.from(file).toString('latin1')
      if (text.includes('torn')) throw new FileProblem('unreadable_file')
      return { jpeg: Buffer.from(`${page} ${width} ${text}`, 'latin1'), width, height: width }
    },
    async close() {},
  }
  return parser
}

export const field = (text: string, y = 100, x = 50): Field => {
  return { text, page: 1, box: { x, y, width: 60, height: 10 }, confidence: 0.98 }
}

/** One row of a report; the changes are those of a test. */
export function reportResult(changes: Partial<ReportResult> = {}): ReportResult {
  return {
    name: field('Glucose'),
    value: field('112', 100, 200),
    unit: field('mg/dL', 100, 260),
    range: field('65-99', 100, 320),
    flag: field('H', 100, 380),
    panel: null,
    sampleType: 'serum_plasma_blood',
    type: 'numeric',
    ucumUnit: 'mg/dL',
    number: 112,
    low: 65,
    high: 99,
    measurementKind: 'direct',
    sensitivity: 'unknown',
    interpretation: 'abnormal',
    isAboveHigh: true,
    isBelowLow: false,
    loincMatches: [
      {
        code: '2345-7',
        name: 'Glucose [Mass/volume] in Serum or Plasma',
        displayName: 'Glucose',
        aliases: ['Blood sugar'],
        score: 0.97,
      },
    ],
    loincMatchStatus: 'auto_match',
    doubts: [],
    ...changes,
  }
}

export function labReport(changes: Partial<LabReport> = {}): LabReport {
  return {
    language: 'en',
    header: {
      patientFirstName: field('Ada'),
      patientLastName: field('Moreau'),
      dateOfBirth: field('04/12/1990'),
      gender: { value: 'female', field: field('F') },
      labName: field('Example Laboratory'),
      dateReported: field('03/01/2026'),
      dateCollected: field('02/27/2026'),
      specimenNumber: null,
    },
    results: [reportResult()],
    pages: [
      {
        number: 1,
        width: 600,
        height: 800,
        source: 'text_layer',
        toSource: null,
        sourceSize: { width: 600, height: 800 },
      },
    ],
    ...changes,
  }
}

export const parsedReport = (changes: Partial<LabReport> = {}): ParseOutcome => {
  return { status: 'parsed', report: labReport(changes) }
}
