import type {
  FailureType,
  MissingResult,
  NamedResult,
  ReportedDocumentHead,
  ReportedResult,
} from '@salus/contracts/lab-gateway'
import { FAILURE_TYPES } from '@salus/contracts/lab-gateway'
import type { Segment } from '@salus/hl7v2'
import { captureFrom } from '@salus/kernel/operator-patterns'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { type NamedCode, readBounds, readNamedCode, readUnit } from './codes.ts'
import {
  type FoundDocument,
  readDocuments,
  readEmbeddedDocuments,
  readEncodedDocument,
} from './documents.ts'
import { joinLines } from './joined-lines.ts'
import { type ObservationGroup, textOfNotes } from './message-groups.ts'
import { type Standing, standingOf } from './observation-status.ts'
import { type ReadValue, readObservationValue } from './observation-value.ts'
import type { PerformingLaboratories } from './performing-laboratories.ts'
import { readReportedTime } from './times.ts'

/** What the OBX of one test say. */
export interface ReadObservations {
  results: ReportedResult[]
  missing: MissingResult[]
  withdrawn: (NamedResult & { reason: 'deleted' | 'wrong_patient' })[]
  confirmed: NamedResult[]
  documents: FoundDocument[]
  /** Standings of everything that is a result, an awaited or a cancelled one. */
  standings: Standing[]
  /** Texts that belong to no result. */
  remarks: string[]
  /** Whether an answer or a note says that the patient fasted; undefined when none does. */
  fasting: boolean | undefined
}

/** What is needed to read the observations of a test. */
export interface ObservationContext {
  connection: ResolvedConnection
  laboratories: PerformingLaboratories
  /** Key of the test in its report; undefined for observations without an OBR. */
  test: string | undefined
  obr: Segment | undefined
}

/** Reads the OBX of one test. Each gives what it says under its own name and number only. */
export function readObservations(
  groups: readonly ObservationGroup[],
  context: ObservationContext,
): ReadObservations {
  const reader = new ObservationReader(context)
  for (const group of joinLines(groups)) reader.add(group)
  return reader.read
}

/** LOINC of the fasting status, as laboratories send it beside results. */
const FASTING_STATUS = '49541-6'
const UNREADABLE_DOCUMENT = 'The laboratory sent a document that cannot be decoded.'

class ObservationReader {
  readonly read: ReadObservations = {
    results: [],
    missing: [],
    withdrawn: [],
    confirmed: [],
    documents: [],
    standings: [],
    remarks: [],
    fasting: undefined,
  }
  readonly #context: ObservationContext
  /** How often a code and sub-id had a result, so that none is overwritten by another one. */
  readonly #seen = new Map<string, number>()

  constructor(context: ObservationContext) {
    this.#context = context
  }

  add(group: ObservationGroup): void {
    const { connection, obr } = this.#context
    const { obx } = group
    const code = readNamedCode(obx.field(3), connection)
    const standing = standingOf(obx, obr)
    const value = this.#valueOf(group, code)
    if (code.loinc === FASTING_STATUS && value.kind === 'value') {
      this.read.fasting = /^(y|yes|fasting|patient was fasting)/i.test(value.text)
    }
    switch (standing) {
      case 'answer':
      case 'absent':
        return
      case 'deleted':
      case 'wrong_patient':
        this.#withdraw(code, obx, standing)
        return
      case 'awaited':
        this.read.standings.push(standing)
        return
      default:
        this.#addReported(group, { code, standing, value })
        // A document below a result of another person is of that person too.
        this.read.documents.push(
          ...readEmbeddedDocuments(group.documents, this.#headOf(code, obx, standing)),
        )
    }
  }

  /** The value, where a code of the connection makes a text a document. */
  #valueOf({ obx }: ObservationGroup, { provider_id, loinc, name }: NamedCode): ReadValue {
    const { result, time_zone } = this.#context.connection
    const isDocument = [provider_id, loinc].some(
      (code) => code !== null && result.document_codes.includes(code),
    )
    if (isDocument && obx.text(2).toUpperCase() !== 'ED') {
      const document = readEncodedDocument(obx.field(5).raw, { name })
      if (document !== undefined) {
        const { bytes, kind } = document
        const shape = { type: '', subtype: '', encoding: 'Base64' }
        return { kind: 'documents', documents: [{ ...shape, bytes, kind }] }
      }
    }
    return readObservationValue(obx, time_zone)
  }

  #addReported(
    group: ObservationGroup,
    { code, standing, value }: { code: NamedCode; standing: Standing; value: ReadValue },
  ): void {
    const { obx } = group
    const notes = textOfNotes(group.notes)
    if (value.kind === 'documents') {
      const found = readDocuments(value.documents, this.#headOf(code, obx, standing))
      this.read.documents.push(...found)
      if (found.length < value.documents.length) this.read.remarks.push(UNREADABLE_DOCUMENT)
      this.read.standings.push(standing)
      return
    }
    if (value.kind === 'deleted') {
      this.#withdraw(code, obx, 'deleted')
      return
    }
    const text = value.kind === 'value' ? value.text : null
    if (standing === 'confirmed' && text === null) {
      this.read.confirmed.push(this.#named(code, obx))
      this.read.standings.push('final')
      return
    }
    if (standing === 'cancelled' || (text !== null && this.#isMissingWord(text))) {
      this.#miss(code, obx, { text, notes })
      return
    }
    this.#addResult(group, { code, standing, value, notes })
  }

  #addResult(
    { obx }: ObservationGroup,
    of: { code: NamedCode; standing: Standing; value: ReadValue; notes: string | null },
  ): void {
    const { code, notes, standing } = of
    const value = this.#resolveValue(of.value, notes)
    if (value === undefined) {
      // A heading has neither a value nor a note; a number that is awaited has none either.
      const isNumber = ['NM', 'SN'].includes(obx.text(2).trim().toUpperCase())
      if (isNumber) this.#miss(code, obx, { text: null, notes })
      return
    }
    if (code.name === '' && code.provider_id === null && code.loinc === null) {
      // Without a name it is no result. Its text stays readable beside the others.
      this.read.remarks.push(value.text)
      return
    }
    this.read.standings.push(standing)
    this.read.results.push(this.#resultOf(obx, { code, standing, value, notes: value.notes }))
  }

  #resultOf(
    obx: Segment,
    of: {
      code: NamedCode
      standing: Standing
      value: { type: ReportedResult['type']; text: string }
      notes: string | null
    },
  ): ReportedResult {
    const { connection, laboratories, obr } = this.#context
    const { codes: maps, result: rules, time_zone } = connection
    const { unit, ucum } = readUnit(obx.field(6), maps)
    const printed = obx.field(7).freeText.trim()
    const inComments =
      printed === '' && rules.range_from_notes !== null && of.notes !== null
        ? captureFrom(rules.range_from_notes, of.notes)
        : undefined
    const reference_range = printed || inComments?.trim() || null
    const { low, high } = readBounds(reference_range)
    const flags = readFlags(obx, maps.flags)
    const analysed = readReportedTime(obx.text(19), time_zone)
    const reported = readReportedTime(obr?.text(22) ?? '', time_zone)
    return {
      ...this.#named(of.code, obx, true),
      status: of.standing === 'corrected' || of.standing === 'preliminary' ? of.standing : 'final',
      ...(flags.length > 0 && { flags }),
      ...(ucum !== null && { ucum }),
      method: obx.text(17, 2).trim() || obx.text(17, 1).trim() || null,
      type: of.value.type,
      result: of.value.text,
      unit,
      reference_range,
      min_range_value: low,
      max_range_value: high,
      flag: chooseFlag(flags),
      notes: of.notes,
      timestamp: (reported ?? analysed)?.timestamp ?? null,
      performing_laboratory: laboratories.keyOf(obx),
    }
  }

  /** The value, or the notes where they hold it; undefined when there is nothing. */
  #resolveValue(
    value: ReadValue,
    notes: string | null,
  ): { type: ReportedResult['type']; text: string; notes: string | null } | undefined {
    const words = this.#context.connection.result.value_from_notes
    const text = value.kind === 'value' ? value.text : ''
    const isInNotes = text === '' || includesWord(words, text)
    if (notes !== null && isInNotes) return { type: 'comment', text: notes, notes }
    return value.kind === 'value' ? { ...value, notes } : undefined
  }

  #isMissingWord(text: string): boolean {
    return includesWord(this.#context.connection.codes.missing_words, text)
  }

  #miss(
    code: NamedCode,
    obx: Segment,
    { text, notes }: { text: string | null; notes: string | null },
  ): void {
    const note = [text, notes].filter((part) => part !== null).join('\n') || null
    this.read.standings.push('cancelled')
    this.read.missing.push({
      ...this.#named(code, obx),
      failure_type: failureIn(note, this.#context.connection.codes.failure),
      note,
    })
  }

  #headOf(code: NamedCode, obx: Segment, standing: Standing): ReportedDocumentHead {
    const status =
      standing === 'corrected' || standing === 'preliminary' ? { status: standing } : {}
    const named = this.#named(code, obx)
    return { ...named, ...status, name: named.name || 'Report' }
  }

  #withdraw(code: NamedCode, obx: Segment, reason: 'deleted' | 'wrong_patient'): void {
    this.read.withdrawn.push({ ...this.#named(code, obx), reason })
  }

  /** OBX-14 where it is not OBR-7. */
  #observed(obx: Segment): { observed_at?: string } {
    const { connection, obr } = this.#context
    const [own, ofTest] = [obx.text(14), obr?.text(7)].map((text) =>
      readReportedTime(text ?? '', connection.time_zone),
    )
    return own && own.timestamp !== ofTest?.timestamp ? { observed_at: own.timestamp } : {}
  }

  /** @param isResult Whether it is counted, so that a second one of a code has another sub-id */
  #named(code: NamedCode, obx: Segment, isResult = false): NamedResult {
    const { test } = this.#context
    const sent = obx.field(4).freeText.trim()
    const key = JSON.stringify([code.provider_id ?? code.loinc ?? code.name, sent])
    const count = (this.#seen.get(key) ?? 0) + 1
    if (isResult) this.#seen.set(key, count)
    const sub = isResult && count > 1 ? `${sent}#${count}` : sent
    return {
      ...(test !== undefined && { test }),
      ...(sub !== '' && { sub_id: sub }),
      ...this.#observed(obx),
      ...code,
      name: code.name || code.provider_id || code.loinc || '',
    }
  }
}

/** Whether a text is one of the words, whatever its letters and its full stop. */
export const includesWord = (words: readonly string[], text: string): boolean => {
  const plain = text.trim().replace(/\.$/, '').toUpperCase()
  return words.some((word) => word.trim().toUpperCase() === plain)
}

/** The failure type of the first part of a comment that the connection names; null for none. */
export function failureIn(
  note: string | null,
  map: Readonly<Record<string, string>>,
): FailureType | null {
  const text = note?.toLowerCase() ?? ''
  const found = Object.entries(map).find(([part]) => text.includes(part.toLowerCase()))
  return FAILURE_TYPES.find((type) => type === found?.[1]) ?? null
}

function readFlags(obx: Segment, map: Readonly<Record<string, string>>): string[] {
  return obx.field(8).repetitions.flatMap((repetition) => {
    const flag = repetition.component(1).trim()
    if (flag === '') return []
    return (Object.hasOwn(map, flag) ? map[flag] : undefined) ?? flag
  })
}

/** Flags of table 0078 that say something about normality; the others are changes and effects. */
const NORMALITY =
  /^(?:N|A|AA|H|HH|L|LL|HU|LU|<|>|C|CH|CL|WNL|ABN|HIGH|LOW|CRIT|CRITICAL|NORMAL|ABNORMAL)$/i

/** The first flag that says something about normality, else the first one. */
export const chooseFlag = (flags: readonly string[]): string | null =>
  flags.find((flag) => NORMALITY.test(flag)) ?? flags[0] ?? null
