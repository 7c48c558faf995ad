import { createHmac } from 'node:crypto'
import type { OfferedSlot, RequisitionPatient, Slot, Visit } from '@salus/contracts/lab-gateway'
import { PartnerFailure } from '@salus/contracts/lab-partners'
import type { Clock } from '@salus/kernel/time/clock'
import { BearerToken, readToken } from './bearer-token.ts'
import { callPartner, type PartnerAnswer, type PartnerRequest, type Send } from './partner-http.ts'
import { type JsonRecord, recordsOf, textOf, toRecord } from './partner-json.ts'
import type { GetlabsSettings } from './partner-settings.ts'

/** A visit that Getlabs has. */
export interface FoundVisit {
  id: string
  startAt: Date
}

/** The assertion is signed for each token, and used at once. */
const ASSERTION_S = 5 * 60

/** Answers that are an outcome: the slot is taken, or the address or patient is not served. */
const OUTCOMES: Readonly<Record<number, 'slot_unavailable' | 'refused'>> = {
  409: 'slot_unavailable',
  404: 'slot_unavailable',
  422: 'refused',
}

/**
 * The API of Getlabs, version 2 (https://api.getlabs.com/docs). Public are the authentication, the
 * header of maintenance, and that there are `/patient`, `/availability` and `/appointment`. Their
 * fields are assumptions, which docs/partners.md#appointments-with-getlabs lists.
 */
export class GetlabsApi {
  readonly #url: string
  readonly #send: Send
  readonly #token: BearerToken

  constructor({ url, clientId, secret }: GetlabsSettings, send: Send, clock: Clock) {
    this.#url = `${url}/v2`
    this.#send = send
    this.#token = new BearerToken(async () => {
      const assertion = signAssertion(
        { sub: clientId, aud: `${url}/oauth/token`, now: clock.now() },
        secret.reveal(),
      )
      const { status, body } = await callPartner('getlabs', send, {
        method: 'POST',
        url: `${this.#url}/oauth/token`,
        body: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
      })
      if (status >= 400) throw new PartnerFailure('getlabs', 'unauthorized')
      const token = readToken(body)
      if (token === undefined) throw new PartnerFailure('getlabs', 'malformed')
      return token
    }, clock)
  }

  /** Returns the slots at an address; undefined where Getlabs sends no phlebotomist. */
  async listSlots(
    query: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<OfferedSlot[] | undefined> {
    const search = new URLSearchParams(query)
    const { status, body } = await this.#call({
      method: 'GET',
      url: `/availability?${search}`,
      signal,
    })
    if (status === 404 || status === 422) return undefined
    const slots = this.#require(status, body).timeSlots
    if (!Array.isArray(slots)) throw new PartnerFailure('getlabs', 'malformed')
    return recordsOf({ slots }, 'slots').map(readSlot)
  }

  /** Returns the id of a patient, who is added unless Getlabs knows them by their data. */
  async findOrAddPatient(patient: RequisitionPatient, signal?: AbortSignal): Promise<string> {
    const { status, body } = await this.#call({
      method: 'POST',
      url: '/patient',
      body: {
        firstName: patient.first_name,
        lastName: patient.last_name,
        dob: patient.dob,
        birthSex: patient.gender,
        phoneNumber: patient.phone_number?.replace(/^\+1|\D/g, '') ?? null,
        email: patient.email,
      },
      signal,
    })
    return requireText(this.#require(status, body), 'id')
  }

  /** Returns the visit with a reference; undefined without one and for a cancelled one. */
  async findVisit(reference: string, signal?: AbortSignal): Promise<FoundVisit | undefined> {
    const url = `/appointment?${new URLSearchParams({ reference })}`
    const { status, body } = await this.#call({ method: 'GET', url, signal })
    const found = recordsOf(this.#require(status, body), 'appointments').find(
      (visit) =>
        textOf(visit, 'reference') === reference && textOf(visit, 'status') !== 'cancelled',
    )
    return found && readVisit(found)
  }

  async bookVisit(
    { appointmentId, address, requisitionNumber, notes }: Visit,
    slot: Slot,
    patientId: string,
    signal?: AbortSignal,
  ): Promise<FoundVisit | 'slot_unavailable' | 'refused'> {
    return this.#change({
      method: 'POST',
      url: '/appointment',
      body: {
        patientId,
        reference: appointmentId,
        startAt: slot.start.toISOString(),
        endAt: slot.end.toISOString(),
        address: {
          street: address.first_line,
          unit: address.second_line,
          city: address.city,
          state: address.state,
          zipCode: address.zip_code,
          instructions: address.access_notes,
        },
        requisitionNumber,
        notes,
      },
      signal,
    })
  }

  async moveVisit(
    id: string,
    slot: Slot,
    signal?: AbortSignal,
  ): Promise<FoundVisit | 'slot_unavailable' | 'refused'> {
    const body = { startAt: slot.start.toISOString(), endAt: slot.end.toISOString() }
    return this.#change({
      method: 'PATCH',
      url: `/appointment/${encodeURIComponent(id)}`,
      body,
      signal,
    })
  }

  async cancelVisit(id: string): Promise<void> {
    const url = `/appointment/${encodeURIComponent(id)}/cancel`
    const { status, body } = await this.#call({ method: 'POST', url, body: {} })
    // It was cancelled before.
    if (status === 404 || status === 409) return
    this.#require(status, body)
  }

  async #change(request: PartnerRequest): Promise<FoundVisit | 'slot_unavailable' | 'refused'> {
    const { status, body } = await this.#call(request)
    return OUTCOMES[status] ?? readVisit(this.#require(status, body))
  }

  #call(request: PartnerRequest): Promise<PartnerAnswer> {
    const url = `${this.#url}${request.url}`
    return this.#token.use((headers) =>
      callPartner('getlabs', this.#send, { ...request, url, headers }),
    )
  }

  /** @throws PartnerFailure for a status that is no success */
  #require(status: number, body: unknown): JsonRecord {
    if (status < 200 || status > 299) throw new PartnerFailure('getlabs', 'refused')
    return toRecord(body)
  }
}

/** Returns a JWT (RFC 7519), signed with HMAC and SHA-512. */
function signAssertion(
  { sub, aud, now }: { sub: string; aud: string; now: Date },
  secret: string,
): string {
  const iat = Math.floor(now.getTime() / 1000)
  const parts = [
    { alg: 'HS512', typ: 'JWT' },
    { sub, aud, iat, exp: iat + ASSERTION_S },
  ]
  const signed = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${createHmac('sha512', secret).update(signed).digest('base64url')}`
}

function requireText(record: JsonRecord, key: string): string {
  const text = textOf(record, key)
  if (text === null) throw new PartnerFailure('getlabs', 'malformed')
  return text
}

function requireTime(record: JsonRecord, key: string): Date {
  const time = new Date(requireText(record, key))
  if (Number.isNaN(time.getTime())) throw new PartnerFailure('getlabs', 'malformed')
  return time
}

const readVisit = (record: JsonRecord): FoundVisit => ({
  id: requireText(record, 'id'),
  startAt: requireTime(record, 'startAt'),
})

const readSlot = (record: JsonRecord): OfferedSlot => ({
  start: requireTime(record, 'startAt'),
  end: requireTime(record, 'endAt'),
  priceCents: Math.round(Number(textOf(record, 'price') ?? 0) * 100) || 0,
  isPriority: record.priority === true,
  available: 1,
})
