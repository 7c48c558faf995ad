import type { Message, Segment } from '@salus/hl7v2'

/** An OBX with what follows it and belongs to it. */
export interface ObservationGroup {
  obx: Segment
  notes: Segment[]
  /** ZEF: documents in base64. */
  documents: Segment[]
}

/** One OBR, or an ORC that has none, with what belongs to it. */
export interface TestGroup {
  /** Its own ORC. */
  orc: Segment | undefined
  /** The ORC before it in the same patient, where it has none of its own. */
  sharedOrc: Segment | undefined
  obr: Segment | undefined
  notes: Segment[]
  specimens: Segment[]
  observations: ObservationGroup[]
  documents: Segment[]
}

/** One PID, or what comes before the first one, with its tests. */
export interface PatientGroup {
  pid: Segment | undefined
  pv1: Segment | undefined
  txa: Segment | undefined
  notes: Segment[]
  /** OBX before the first OBR. */
  observations: ObservationGroup[]
  documents: Segment[]
  tests: TestGroup[]
}

/** A message by patients and tests. */
export interface MessageGroups {
  message: Message
  patients: PatientGroup[]
  /** ZPS: the laboratories that performed, for the whole message. */
  laboratories: Segment[]
}

/**
 * Groups the segments of a message by their position alone: a result belongs to the OBR before it,
 * and a note to the segment before it. Nothing is found by codes, since codes repeat.
 */
export function groupSegments(message: Message): MessageGroups {
  const grouping = new Grouping(message.type.code === 'OUL')
  for (const segment of message.segments.slice(1)) grouping.add(segment)
  const { patients, laboratories } = grouping
  return { message, patients: patients.filter(hasContent), laboratories }
}

const hasContent = ({ pid, txa, tests, observations }: PatientGroup): boolean =>
  pid !== undefined || txa !== undefined || tests.length + observations.length > 0

const newPatient = (pid?: Segment): PatientGroup => ({
  pid,
  pv1: undefined,
  txa: undefined,
  notes: [],
  observations: [],
  documents: [],
  tests: [],
})

class Grouping {
  readonly patients: PatientGroup[] = [newPatient()]
  readonly laboratories: Segment[] = []
  /** In OUL the specimen may come before its tests, and ORC comes after OBR. */
  readonly #isSpecimenOriented: boolean
  #test: TestGroup | undefined
  #orc: Segment | undefined
  /** Specimens that came before the tests which they are for. */
  #specimens: Segment[] = []
  /** Where a note or an embedded document goes. */
  #owner: { notes: Segment[]; documents: Segment[] }

  constructor(isSpecimenOriented: boolean) {
    this.#isSpecimenOriented = isSpecimenOriented
    this.#owner = this.#patient
  }

  get #patient(): PatientGroup {
    return this.patients.at(-1) as PatientGroup
  }

  add(segment: Segment): void {
    switch (segment.name) {
      case 'PID':
        this.#addPatient(segment)
        return
      case 'PV1':
        this.#patient.pv1 ??= segment
        return
      case 'TXA':
        this.#patient.txa ??= segment
        return
      case 'ORC':
        this.#addOrc(segment)
        return
      case 'OBR':
        this.#addObr(segment)
        return
      case 'OBX':
        this.#addObx(segment)
        return
      case 'SPM':
        this.#addSpecimen(segment)
        return
      case 'NTE':
        this.#owner.notes.push(segment)
        return
      case 'ZEF':
        this.#owner.documents.push(segment)
        return
      case 'ZPS':
        this.laboratories.push(segment)
        break
    }
    // A note after another segment of a test is about the test, and not about its last result.
    this.#owner = this.#test ?? this.#patient
  }

  #addPatient(pid: Segment): void {
    this.patients.push(newPatient(pid))
    this.#test = undefined
    this.#orc = undefined
    this.#specimens = []
    this.#owner = this.#patient
  }

  #addTest(orc: Segment | undefined, obr: Segment | undefined): void {
    this.#test = {
      orc,
      sharedOrc: orc === undefined ? this.#orc : undefined,
      obr,
      notes: [],
      specimens: [...this.#specimens],
      observations: [],
      documents: [],
    }
    this.#patient.tests.push(this.#test)
    this.#owner = this.#test
  }

  #addOrc(orc: Segment): void {
    const test = this.#test
    this.#orc = orc
    const isAfterObr = test?.obr !== undefined && test.observations.length === 0
    if (this.#isSpecimenOriented && test && isAfterObr && test.orc === undefined) test.orc = orc
    else this.#addTest(orc, undefined)
  }

  #addObr(obr: Segment): void {
    const test = this.#test
    // Results that came before the OBR are not of its test.
    if (test !== undefined && test.obr === undefined && test.observations.length === 0) {
      test.obr = obr
      this.#owner = test
    } else this.#addTest(undefined, obr)
  }

  #addObx(obx: Segment): void {
    const group: ObservationGroup = { obx, notes: [], documents: [] }
    const { observations } = this.#test ?? this.#patient
    observations.push(group)
    this.#owner = group
  }

  #addSpecimen(spm: Segment): void {
    const test = this.#test
    if (test === undefined || (this.#isSpecimenOriented && test.observations.length > 0)) {
      // It begins a specimen with tests of its own.
      this.#test = undefined
      this.#specimens = [spm]
      this.#owner = this.#patient
    } else {
      test.specimens.push(spm)
      this.#owner = test
    }
  }
}

/** The ORC of a test: its own, else the one that it shares. */
export const orcOf = ({ orc, sharedOrc }: TestGroup): Segment | undefined => orc ?? sharedOrc

/** The lines of notes as one text; null without any. Empty lines inside stay. */
export function textOfNotes(notes: readonly Segment[]): string | null {
  const text = notes.map((note) => note.field(3).freeText).join('\n')
  return text.trim() === '' ? null : text.replace(/^\n+/, '').trimEnd()
}
