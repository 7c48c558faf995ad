import type { Harness } from '../harness.ts'

/** Someone who can be ordered for everywhere in the catalog. */
export const PATIENT_DETAILS = {
  first_name: 'Ada',
  last_name: 'Moreau',
  dob: '1990-04-12',
  gender: 'female',
  phone_number: '(555) 010-0199',
  email: 'ada.moreau@example.com',
}

export const PATIENT_ADDRESS = {
  receiver_name: 'Ada Moreau',
  first_line: '1 Main St',
  second_line: 'Apt 4',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  access_notes: 'Ring twice',
  phone_number: '+15550100199',
}

export const SHIPPING_DETAILS = {
  receiver_name: 'Front desk',
  first_line: '2 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+15550100198',
}

export type Method = 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'

/** Ids of the plain ready lab tests of the harness's sandbox, by method. */
export async function startingLabTests(harness: Harness): Promise<Record<Method, string>> {
  const { body } = await harness.call('GET', '/v3/lab_test')
  const tests: { id: string; name: string; method: Method }[] = body.data
  const plain = tests.filter(({ name }) => name.startsWith('Starter '))
  return Object.fromEntries(plain.map(({ id, method }) => [method, id])) as Record<Method, string>
}

/** A valid body of POST /v3/order. */
export function orderBody(userId: string, labTestId: string, changes: object = {}): object {
  return {
    user_id: userId,
    order_set: { lab_test_ids: [labTestId] },
    patient_details: PATIENT_DETAILS,
    patient_address: PATIENT_ADDRESS,
    ...changes,
  }
}

/** A valid body of POST /v3/order/testkit/register, also for the network of physicians. */
export function registrationBody(sampleId: string, changes: object = {}): object {
  const types = ['hipaa-authorization', 'terms-of-use', 'telehealth-informed-consent']
  return {
    sample_id: sampleId,
    patient_details: PATIENT_DETAILS,
    patient_address: PATIENT_ADDRESS,
    consents: types.map((consentType) => ({ consentType })),
    ...changes,
  }
}
