import { APPOINTMENT_PROVIDERS, APPOINTMENT_SERVICE_TYPES } from '@salus/contracts/lab-gateway'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { LngLat } from '../appointments/index.ts'
import { BILLINGS, CatalogId } from '../catalog/index.ts'

/** Areas and sites (docs/contract/14-appointments-and-psc.md). */

export const CAPABILITIES = [
  'stat',
  'appointment_scheduling_via_service',
  'appointment_scheduling_with_lab',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/**
 * Name of `appointment_scheduling_via_service` for clients of the alias; all clients may use it.
 */
export const ALIAS_CAPABILITY = 'appointment_scheduling_via_junction'
const WIRE_CAPABILITIES = [...CAPABILITIES, ALIAS_CAPABILITY] as const
export type WireCapability = (typeof WIRE_CAPABILITIES)[number]

/** Laboratories that the information on an area lists. */
export const AREA_LABS = ['quest', 'labcorp', 'bioreference', 'sonora_quest'] as const

const Radius = TextEnum(['10', '20', '25', '50', '100'], {
  default: '25',
  description: 'Radius in miles around the center of the ZIP code.',
})
const ZipCode = Type.String({ pattern: '^\\d{5}$' })
const LabAccountId = Type.Optional(
  Nullable(
    Type.String({ ...Uuid, description: 'Returns sites and billing types for this lab account.' }),
  ),
)

const siteFilters = {
  radius: Radius,
  capabilities: Type.Optional(
    Nullable(
      Type.Array(TextEnum(WIRE_CAPABILITIES), {
        description: 'Returns only sites with all of these capabilities.',
      }),
    ),
  ),
}

export const OrderCentersQuery = Type.Object(siteFilters)
export type OrderCentersQuery = Type.Static<typeof OrderCentersQuery>

export const CentersQuery = Type.Object({
  zip_code: ZipCode,
  lab_id: CatalogId,
  ...siteFilters,
  lab_account_id: LabAccountId,
})
export type CentersQuery = Type.Static<typeof CentersQuery>

export const AreaQuery = Type.Object({
  zip_code: ZipCode,
  radius: Radius,
  lab: Type.Optional(
    Nullable(
      TextEnum(AREA_LABS, {
        deprecated: true,
        description: 'Laboratory to list. Use `labs` instead.',
      }),
    ),
  ),
  labs: Type.Optional(Nullable(Type.Array(TextEnum(AREA_LABS)))),
  lab_account_id: LabAccountId,
})
export type AreaQuery = Type.Static<typeof AreaQuery>

const NullableText = Nullable(Type.String())
const BillTypes = Type.Array(TextEnum(BILLINGS))
const Capabilities = Type.Array(TextEnum(WIRE_CAPABILITIES))

export const LabLocation = Type.Object(
  {
    metadata: Type.Object(
      {
        name: Type.String(),
        first_line: Type.String(),
        second_line: NullableText,
        city: Type.String(),
        state: Type.String(),
        zip_code: Type.String(),
        phone_number: NullableText,
        fax_number: NullableText,
        hours: Nullable(
          Type.Object(
            {},
            {
              additionalProperties: true,
              description: 'Opening hours of each day of the week, in the local time of the site.',
            },
          ),
        ),
        website: NullableText,
      },
      { title: 'LabLocationMetadata' },
    ),
    distance: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      description:
        'Distance in miles, as text; an integer for requests with the alias of the key header.',
    }),
    site_code: Type.String(),
    supported_bill_types: BillTypes,
    location: LngLat,
    capabilities: Capabilities,
  },
  { title: 'LabLocation' },
)
export type LabLocation = Type.Static<typeof LabLocation>

export const CenterListing = Type.Object(
  {
    lab_id: Type.Integer(),
    slug: Type.String(),
    patient_service_centers: Type.Array(LabLocation),
  },
  { title: 'PatientServiceCenters' },
)
export type CenterListing = Type.Static<typeof CenterListing>

const PscAreaInfo = Type.Object(
  {
    patient_service_centers: Type.Object({
      appointment_with_vital: Type.Boolean({
        description: 'Whether a site can be booked through Salus.',
      }),
      within_radius: Type.Integer({ description: 'Number of sites.' }),
      radius: Type.String(),
      capabilities: Capabilities,
    }),
    supported_bill_types: BillTypes,
    lab_id: Type.Integer(),
  },
  { title: 'PscAreaInfo' },
)
export type PscAreaInfo = Type.Static<typeof PscAreaInfo>

export const AreaInfo = Type.Object(
  {
    zip_code: Type.String(),
    phlebotomy: Type.Object({
      is_served: Type.Boolean(),
      providers: Type.Array(
        Type.Object({
          name: TextEnum(APPOINTMENT_PROVIDERS),
          service_types: Type.Array(TextEnum(APPOINTMENT_SERVICE_TYPES)),
        }),
      ),
    }),
    central_labs: Type.Record(Type.String(), PscAreaInfo),
  },
  { title: 'AreaInfo' },
)
export type AreaInfo = Type.Static<typeof AreaInfo>
