import type { RequisitionBilling, RequisitionImage } from '@salus/contracts/lab-gateway'
import { readAddress, readPhone, refuse } from '../../insurance/index.ts'
import type { HealthInsuranceCreateRequest } from '../order-requests.schema.ts'

const IMAGES = ['front_image', 'back_image', 'patient_signature_image'] as const

/** Images of a card and a signature, in base64. */
export type InsuranceImages = Pick<RequisitionBilling, (typeof IMAGES)[number]>

/** What an order keeps of its own `health_insurance`; the images lie elsewhere, sealed. */
export type OrderHealthInsurance = Omit<RequisitionBilling, keyof InsuranceImages> & {
  has_images: boolean
}

type Given = HealthInsuranceCreateRequest | null | undefined

/**
 * What base64 is not made of. A pattern of the whole text fails on megabytes: it goes back over
 * each sign.
 */
const NOT_BASE_64 = /[^A-Za-z0-9+/]/

function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  return digits !== '' && !NOT_BASE_64.test(digits)
}

/**
 * What a request says of insurance, every key, without the images
 * (docs/contract/11-orders.md#healthinsurancecreaterequest).
 * @throws InputError 422 when somebody else answers for the bill and is not named, for an address
 *   or a phone number
 * that is none, and for an image that is not base64
 */
export function readHealthInsurance(given: Given): OrderHealthInsurance | null {
  if (!given) return null
  const { responsible_relationship: relation = null, responsible_details: person } = given
  const path = ['health_insurance', 'responsible_details']
  if (relation !== null && relation !== 'Self' && !person) {
    refuse(path, 'Field required unless responsible_relationship is Self', 'missing')
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
 * The images of a request; null when there is none.
 * @throws InputError 422 for one that is not base64
 */
export function readImages(given: Given): InsuranceImages | null {
  if (!given) return null
  const read = (name: (typeof IMAGES)[number]): RequisitionImage | null => {
    const image = given[name]
    if (!image) return null
    const content = image.content.replace(/\s+/g, '')
    if (!isBase64(content)) {
      refuse(['health_insurance', name, 'content'], 'Input should be base64', 'format')
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
