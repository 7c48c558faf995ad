import type { Coverage, Device, Patient } from '@medplum/fhirtypes'
import type { UserInfo } from '../../users/index.ts'
import { type BundleContext, type FhirResource, textOf } from './fhir-parts.ts'

const GENDERS = ['male', 'female', 'other'] as const

export interface UserRow {
  id: string
  client_user_id: string
  fallback_birth_date: string | null
}

export function toPatient(user: UserRow, info: UserInfo | undefined): Patient & { id: string } {
  const birthDate = info?.dob ?? user.fallback_birth_date ?? undefined
  return {
    resourceType: 'Patient',
    id: user.id,
    identifier: [{ system: 'urn:salus:client_user_id', value: user.client_user_id }],
    ...(birthDate !== undefined && { birthDate }),
    ...(info && toDetails(info)),
  }
}

function toDetails(info: UserInfo): Partial<Patient> {
  const { first_name, last_name, email, phone_number, gender, address } = info
  return {
    name: [{ family: last_name, given: [first_name] }],
    telecom: [
      { system: 'phone', value: phone_number },
      { system: 'email', value: email },
    ],
    gender: GENDERS.find((known) => known === gender) ?? 'unknown',
    address: [
      {
        line: [address.first_line, address.second_line].flatMap((line) => textOf(line) ?? []),
        city: address.city,
        state: address.state,
        postalCode: address.zip,
        country: address.country,
      },
    ],
  }
}

interface DeviceRow {
  id: string
  provider: string
  source_type: string
  device_manufacturer: string | null
  device_model: string | null
  device_version: string | null
}

export function toDevice(row: DeviceRow, { patient }: BundleContext): FhirResource[] {
  const manufacturer = textOf(row.device_manufacturer)
  const model = textOf(row.device_model)
  const version = textOf(row.device_version)
  const device: Device & { id: string } = {
    resourceType: 'Device',
    id: row.id,
    ...(manufacturer && { manufacturer }),
    ...(model && { modelNumber: model, deviceName: [{ name: model, type: 'model-name' }] }),
    ...(version && { version: [{ value: version }] }),
    type: { text: `${row.provider} ${row.source_type}` },
    patient,
  }
  return [device]
}

interface PolicyRow {
  id: string
  payor_id: string
  member_id: string
  group_id: string | null
  relationship: string
  is_primary: boolean
}

const RELATIONSHIPS = 'http://terminology.hl7.org/CodeSystem/subscriber-relationship'
const CLASSES = 'http://terminology.hl7.org/CodeSystem/coverage-class'

export function toCoverage(row: PolicyRow, { patient }: BundleContext): FhirResource[] {
  const group = textOf(row.group_id)
  const coverage: Coverage & { id: string } = {
    resourceType: 'Coverage',
    id: row.id,
    status: 'active',
    subscriberId: row.member_id,
    beneficiary: patient,
    relationship: { coding: [{ system: RELATIONSHIPS, code: row.relationship.toLowerCase() }] },
    payor: [{ identifier: { system: 'urn:salus:payor', value: row.payor_id } }],
    ...(group && {
      class: [{ type: { coding: [{ system: CLASSES, code: 'group' }] }, value: group }],
    }),
    order: row.is_primary ? 1 : 2,
  }
  return [coverage]
}
