import type {
  ConnectionProfile,
  LabConnectionConfig,
  NumberRules,
} from '@salus/contracts/lab-gateway'

/** Profiles of HL7 v2. */
export type Hl7Profile = Exclude<ConnectionProfile, 'fhir-r4'>

type Complete<T> = { [K in keyof T]-?: Exclude<T[K], undefined> }
type Section<K extends keyof LabConnectionConfig> = Complete<
  Exclude<LabConnectionConfig[K], undefined>
>

type ResultRules = Section<'result'>

/** The rules of a connection with the defaults of its profile. Its keys are those of the file. */
export interface ResolvedConnection {
  profile: Hl7Profile
  /** Slug of the laboratory. */
  lab: string
  /** MSH-11 of everything that is sent, and of what is accepted. */
  processing_id: 'P' | 'T' | 'D'
  time_zone: string
  /** Empty when the file names none. */
  accounts: readonly string[]
  ack: Section<'ack'>
  envelope: Section<'envelope'>
  numbers: NumberRules & {
    strip_from_results: readonly RegExp[]
    patient: 'PID-2' | 'PID-3'
  }
  codes: Section<'codes'>
  order: Section<'order'>
  result: Omit<ResultRules, 'range_from_notes'> & { range_from_notes: RegExp | null }
  /** What follows from the profile alone. */
  traits: ProfileTraits
}

/** Differences between profiles that no key of the file changes. */
export interface ProfileTraits {
  /** Whether identifiers and codes have the assigner and the system as in 2.5.1. */
  hasAssigners: boolean
  /** Field of the kind of billing; null where only the segments have it. */
  billTypeField: 'PID-18' | 'IN1-47' | null
  /** Where the priority is. */
  priorityField: 'OBR-5' | 'TQ1-9'
  /** Type of the answer to a question with a list of answers. */
  choiceType: 'ST' | 'CWE'
}
