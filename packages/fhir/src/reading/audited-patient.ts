import type { FastifyRequest } from 'fastify'
import { referencesOf, valuesAt } from './search/element-values.ts'

/** Elements by which resources refer to their patient. */
const PATHS = ['subject', 'beneficiary', 'patient', 'participant.actor']

/**
 * Names the patient of an answer for the audit log, where it is about one patient: the address of
 * most requests names none.
 */
export function recordPatient(request: FastifyRequest, answer: object): void {
  const resources = [answer, ...valuesAt(answer, 'entry.resource')] as object[]
  const patients = new Set(resources.flatMap(patientsOf))
  const [userId] = patients
  if (request.actor === null || userId === undefined || patients.size > 1) return
  // The actor of a cached credential is shared by its requests.
  request.actor = { ...request.actor, userId }
}

function patientsOf(resource: object): string[] {
  const { resourceType, id } = resource as { resourceType?: string; id?: string }
  if (resourceType === 'Patient') return id === undefined ? [] : [id]
  return PATHS.flatMap((path) => valuesAt(resource, path))
    .flatMap(referencesOf)
    .flatMap((reference) => /^Patient\/([\w-]+)$/.exec(reference)?.[1] ?? [])
}
