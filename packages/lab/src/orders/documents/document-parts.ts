import type { LabAccountRow, LabRow, OrderedMarker } from '../../catalog/index.ts'
import type {
  DocumentAccount,
  DocumentAddress,
  DocumentAnswer,
  DocumentLaboratory,
  DocumentPatient,
  DocumentTest,
} from '../../documents/index.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { PatientAddress, PatientDetails } from '../people.schema.ts'

/** Parts of several documents, made from stored rows. */

export function toDocumentLaboratory(lab: LabRow): DocumentLaboratory {
  const { name, phone_number, clia_number, medical_director } = lab
  const { first_line_address: first_line, city, state, zipcode: zip } = lab
  const address = { first_line, city, state, zip, country: 'US' }
  return { name, phone_number, clia_number, medical_director, address }
}

export function toDocumentAccount(account: LabAccountRow): DocumentAccount {
  return { number: account.provider_account_id, name: account.account_name, address: null }
}

export function toDocumentTests(markers: readonly OrderedMarker[]): DocumentTest[] {
  return markers.map(({ provider_id: code, name, sample_type }) => ({ code, name, sample_type }))
}

export function toDocumentPatient(patient: PatientDetails): DocumentPatient {
  const { first_name, last_name, dob, gender, phone_number, email, medical_proxy } = patient
  return { first_name, last_name, dob, gender, phone_number, email, medical_proxy }
}

export function toDocumentAddress(address: PatientAddress | null): DocumentAddress | null {
  if (address === null) return null
  const { first_line, second_line, city, state, zip, country } = address
  return { first_line, second_line, city, state, zip, country }
}

/** Returns the questions of the ordered markers with the texts of their answers. */
export function toDocumentAnswers(
  row: OrderRow,
  markers: readonly OrderedMarker[],
): DocumentAnswer[] {
  const given = Map.groupBy(
    row.aoe_answers,
    (answer) => `${answer.marker_id}:${answer.question_id}`,
  )
  const answered = markers.flatMap(({ id, questions }) =>
    (questions ?? []).flatMap((question) => {
      const answers = given.get(`${id}:${question.id}`) ?? []
      if (answers.length === 0) return []
      const textOf = (code: string): string =>
        question.answers.find((answer) => answer.code === code)?.value ?? code
      return { question: question.value, answers: answers.map(({ answer }) => textOf(answer)) }
    }),
  )
  // Several markers may have the same question and answer, which is printed once.
  const distinct = new Map(answered.map((entry) => [JSON.stringify(entry), entry]))
  return [...distinct.values()]
}
