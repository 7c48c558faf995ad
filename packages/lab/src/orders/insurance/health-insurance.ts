import type { RequisitionBilling, RequisitionImage } from '@salus/contracts/lab-gateway'
import { readAddress, readPhone, refuseField } from '../../insurance/index.ts'
import type { HealthInsuranceCreateRequest } from '../order-requests.schema.ts'

const IMAGES = ['front_image', 'back_image', 'patient_signature_image'] as const

/** Images of a card and a signature, in base64. */
export type InsuranceImages = Pick<RequisitionBilling, (typeof IMAGES)[number]>

/** The `health_insurance` of an order as stored; its images are stored separately, encrypted. */
export type OrderHealthInsurance = Omit<RequisitionBilling, keyof InsuranceImages> & {
  has_images: boolean
}

type Given = HealthInsuranceCreateRequest | null | undefined

/** A character outside of base64. A pattern for the whole text would backtrack over megabytes. */
const NOT_BASE_64 = /[^A-Za-z0-9+/]/

function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  return digits !== '' && !NOT_BASE_64.test(digits)
}

/**
 * Returns the insurance of a request with all fields, without images
 * (docs/contract/11-orders.md#healthinsurancecreaterequest).
 * @throws InputError 422 when another person is responsible for the bill and not named, for an
 *   invalid address or phone number, and for an image that is not base64
 */
export function readHealthInsurance(given: Given): OrderHealthInsurance | null {
  if (!given) return null
  const { responsible_relationship: relation = null, responsible_details: person } = given
  const path = ['health_insurance', 'responsible_details']
  if (relation !== null && relation !== 'Self' && !person) {
    refuseField(path, 'Field required unless responsible_relationship is Self', 'missing')
  }
  return {
    subjective: given.subjective ?? null,
    assessment_plan: given.assessment_plan ?? null,
    payor_code: given.payor_code?.trim() || null,
    insurance_id: given.insurance_id?.trim() || null,
    responsible_relationship: relation,
    responsible_details: person
      ? {
          first_name: person.first_name,
          last_name: person.last_name,
          phone_number: readPhone(person.phone_number, [...path, 'phone_number']),
          phone_type: person.phone_type ?? 'Mobile',
          address: readAddress(person.address, [...path, 'address']),
        }
      : null,
    diagnosis_codes: given.diagnosis_codes ?? [],
    has_images: readImages(given) !== null,
  }
}

/**
 * Returns the images of a request; null without any.
 * @throws InputError 422 for an image that is not base64
 */
export function readImages(given: Given): InsuranceImages | null {
  if (!given) return null
  const read = (name: (typeof IMAGES)[number]): RequisitionImage | null => {
    const image = given[name]
    if (!image) return null
    const content = image.content.replace(/\s+/g, '')
    if (!isBase64(content)) {
      refuseField(['health_insurance', name, 'content'], 'Input should be base64', 'format')
    }
    return { content, content_type: image.content_type }
  }
  const images = {
    front_image: read('front_image'),
    back_image: read('back_image'),
    patient_signature_image: read('patient_signature_image'),
  }
  return Object.values(images).some((image) => image !== null) ? images : null
}
