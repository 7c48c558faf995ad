// generated from docs/openapi.json by scripts/generate.ts; do not edit

export interface AcceptUnmatchedResult {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string | null
  /**
   * Id of the order.
   * @format uuid
   */
  order_id?: string | null
  /** For whoever reads the decision. */
  note?: string | null
}

export interface Activity {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * The calendar date at 00:00 UTC.
   * @format date-time
   * @deprecated
   */
  date: string
  /**
   * Day of the person at the provider.
   * @format date
   */
  calendar_date: string
  /** kcal, basal included. */
  calories_total: number | null
  /** kcal */
  calories_active: number | null
  /** Steps. */
  steps: number | null
  /**
   * m
   * @deprecated
   */
  daily_movement: number | null
  /** Distance. Unit: m. */
  distance: number | null
  /** Minutes of low intensity. */
  low: number | null
  /** Minutes of medium intensity. */
  medium: number | null
  /** Minutes of high intensity. */
  high: number | null
  /** Floors. */
  floors_climbed: number | null
  /** IANA time zone. */
  time_zone: string | null
  /** Seconds east of UTC where the person was. */
  timezone_offset: number | null
  /** Samples of the heart rate. */
  heart_rate: ActivityHeartRate | null
  /** true or null, never false. */
  wheelchair_use: boolean | null
  /** Pushes of a wheelchair. */
  wheelchair_push: number | null
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
}

export interface ActivityHeartRate {
  /** bpm */
  avg_bpm: number | null
  /** bpm */
  min_bpm: number | null
  /** bpm */
  max_bpm: number | null
  /** bpm */
  resting_bpm: number | null
  /** bpm */
  avg_walking_bpm: number | null
}

export interface ActivityUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: ActivityUploadItem[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface ActivityUploadItem {
  /** Sums of the day as the device shows them. */
  day_summary: DaySummary | null
  /** Samples of it during the record. */
  active_energy_burned?: QuantitySample[] | null
  /** Samples of it during the record. */
  basal_energy_burned?: QuantitySample[] | null
  /** Steps. */
  steps?: QuantitySample[] | null
  /** Floors climbed. */
  floors_climbed?: QuantitySample[] | null
  /** Samples of it during the record. */
  distance_walking_running?: QuantitySample[] | null
  /** Maximal oxygen uptake, mL/kg/min. */
  vo2_max?: QuantitySample[] | null
}

export interface AddedLabReportResult {
  /** Name of the analyte, as printed. */
  test_name: string
  /** As printed. */
  value: string
  /** What kind of sample it is. */
  sample_type?:
    | 'urine'
    | 'serum_plasma_blood'
    | 'capillary_blood'
    | 'stool'
    | 'saliva'
    | 'other'
    | 'unknown'
  /** Whether it was measured, or computed of others. */
  measurement_kind?: 'direct' | 'calculated' | 'ratio' | 'unknown'
  /** Shape of the value. */
  type?: 'numeric' | 'range' | 'comment' | 'boolean' | 'duration' | 'percentage' | 'ratio' | null
  /** As printed. */
  units?: string | null
  /** Upper bound of the printed interval. */
  max_reference_range?: number | null
  /** Lower bound of the printed interval. */
  min_reference_range?: number | null
  /** Panel heading on the report. */
  source_panel_name?: string | null
  /** Of an assay that is called so, or of a germ to an antibiotic. */
  sensitivity?: 'sensitive' | 'insensitive' | 'unknown'
  /** The best first, at most five. */
  loinc_matches?: LoincMatchInput[] | null
  /**
   * `auto_match`: the first candidate is sure; `needs_review`: there are candidates; `no_match`:
   * none.
   */
  loinc_match_status?: 'auto_match' | 'needs_review' | 'no_match' | null
  /** What the results say, taken as a whole. */
  interpretation?: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  /** Null when not decidable. */
  is_above_max_range?: boolean | null
  /** Null when not decidable. */
  is_below_min_range?: boolean | null
}

export interface Address {
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** ZIP code, 12345 or 12345-6789. */
  zip: string
  /** Country, two letters. */
  country: string
  /** How to get in. */
  access_notes: string | null
}

export interface AddressInput {
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line?: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** `US`, when not given. */
  country?: string
  /** The postal code, as `zip_code` or as `zip`. One of them is needed. */
  zip_code?: string
  /** The postal code, as `zip_code` or as `zip`. One of them is needed. */
  zip?: string
  /** How to get in. */
  access_notes?: string | null
}

export interface AfibBurdenGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: AfibBurdenSample[]
}

export interface AfibBurdenGroups {
  /** By provider slug. */
  groups: Record<string, AfibBurdenGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface AfibBurdenMerged {
  /** The items. */
  data: AfibBurdenSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Share of time in atrial fibrillation. */
export interface AfibBurdenSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: '%'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Share of time in atrial fibrillation. */
export interface AfibBurdenSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: '%'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface AoE {
  questions: Question[]
}

export interface AoEAnswer {
  /** Id of the marker. */
  marker_id: number
  /** Id of the question. */
  question_id: number
  /** The answer, as the question wants it. */
  answer: string
}

export interface Appointment {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string
  /**
   * Id of the order transaction.
   * @format uuid
   */
  order_transaction_id: string | null
  /** Postal address. */
  address: USAddress
  location: LngLat
  /**
   * Changed at this time or later.
   * @format date-time
   */
  start_at: string | null
  /**
   * Changed at this time or earlier.
   * @format date-time
   */
  end_at: string | null
  iana_timezone: string | null
  /** What kind it is. */
  type: 'phlebotomy' | 'patient_service_center'
  /** Slug of the provider. */
  provider: 'getlabs' | 'phlebfinders' | 'quest' | 'sonora_quest'
  /** The state it is in. */
  status: 'confirmed' | 'pending' | 'reserved' | 'in_progress' | 'completed' | 'cancelled'
  /** The laboratory's own code. */
  provider_id: string
  external_id: string | null
  can_reschedule: boolean
  /** For who comes to the patient, or expects them. */
  appointment_notes: string | null
  event_status: 'pending' | 'reserved' | 'scheduled' | 'completed' | 'cancelled' | 'in_progress'
  event_data: Record<string, unknown> | null
  events: AppointmentEvent[]
}

export interface AppointmentAvailabilitySlots {
  slots: DaySlots[]
  /** Null of sites, which each have their own. */
  timezone: string | null
}

export interface AppointmentBookingRequest {
  /** Of a slot; good for half an hour. */
  booking_key: string
  /** For who comes to the patient, or expects them. */
  appointment_notes?: string | null
  /** Answer `pending` when the laboratory is slow, and go on. At sites only. */
  async_confirmation?: boolean
  /** How long the answer waits; 2500 when not given. Only with `async_confirmation`. */
  sync_confirmation_timeout_millisecond?: number | null
  /**
   * After that the appointment is cancelled; 900000 when not given. Only with `async_confirmation`.
   */
  async_confirmation_timeout_millisecond?: number | null
}

export interface AppointmentCancelRequest {
  /**
   * One of the reasons that are listed.
   * @format uuid
   */
  cancellation_reason_id: string
  /** For whoever reads the order. */
  notes?: string | null
}

export interface AppointmentCancellationReason {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  is_refundable: boolean
}

export interface AppointmentEvent {
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /** The state it is in. */
  status: 'pending' | 'reserved' | 'scheduled' | 'completed' | 'cancelled' | 'in_progress'
  /** The items. */
  data: Record<string, unknown> | null
}

export interface AppointmentList {
  appointments: Appointment[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface AppointmentLocation {
  location: LngLat
  /** Miles. */
  distance: number | null
  /** Postal address. */
  address: USAddress
  /** The link code. */
  code: string
  /** Name. */
  name: string
  iana_timezone: string | null
}

export interface AppointmentRescheduleRequest {
  /** Of a slot; good for half an hour. */
  booking_key: string
  /** Not given keeps them, null clears them. */
  appointment_notes?: string | null
}

export type AreaInfo = {
  /** As `zip`. */
  zip_code: string
  phlebotomy: {
    is_served: boolean
    providers: {
      /** Name. */
      name: 'getlabs' | 'phlebfinders' | 'quest' | 'sonora_quest'
      service_types: ('appointment-ready' | 'appointment-request')[]
    }[]
  }
  central_labs: Record<string, PscAreaInfo>
}

export interface AuditList {
  /** The items. */
  data: AuditRow[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
  /**
   * How far back the search for this page came; null when it came to the beginning. A page may hold
   * few rows, or none, and the next one more.
   * @format date-time
   */
  searched_back_to: string | null
}

export interface AuditRow {
  /** Position in the chain of the log. */
  sequence: number
  /** @format date-time */
  at: string
  actor_kind: string
  /** @format uuid */
  actor_id: string | null
  /** What the key is for. */
  actor_label: string | null
  /** What the request does, in words; null of a route that is not served any more. */
  action: string | null
  /** How the sample is taken. */
  method: string
  /** The pattern, without ids. */
  route: string
  /** Of the answer; null when the process ended before it. */
  status: number | null
  /** How the team is called and shown. */
  team: TeamOfRow | null
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string | null
  /** Another id of the path, such as an order. */
  object_id: string | null
}

export interface BasalBodyTemperatureGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: BasalBodyTemperatureSample[]
}

export interface BasalBodyTemperatureGroups {
  /** By provider slug. */
  groups: Record<string, BasalBodyTemperatureGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface BasalBodyTemperatureMerged {
  /** The items. */
  data: BasalBodyTemperatureSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Body temperature at rest, right after waking. */
export interface BasalBodyTemperatureSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: '°C'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Body temperature at rest, right after waking. */
export interface BasalBodyTemperatureSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: '°C'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface BiomarkerResult {
  /** The laboratory's name of the result. */
  name: string
  /** Short name. */
  slug: string
  /** Read it by its type. */
  result: string
  /** What kind it is. */
  type: 'numeric' | 'range' | 'comment' | 'coded_value'
  /** As `type`. */
  result_type: 'numeric' | 'range' | 'comment' | 'coded_value'
  /** Unit of the value. */
  unit: string | null
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string | null
  /** Comments; also the text of ranges and comments. */
  notes: string | null
  /** As printed; tells whether a bound belongs to the range. */
  reference_range: string | null
  /** Lower end of the range. */
  min_range_value: number | null
  /** Upper end of the range. */
  max_range_value: number | null
  /** Above the range. */
  is_above_max_range: boolean | null
  /** Below the range. */
  is_below_min_range: boolean | null
  /** What the results say, taken as a whole. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown'
  /** The laboratory's own flag; empty when it gave none. */
  source_interpretation: string
  /** LOINC code. */
  loinc: string | null
  /** Short name of the LOINC code. */
  loinc_slug: string | null
  /** The laboratory's code of the result. */
  provider_id: string | null
  /** Ordered markers that produce this result; null when nobody asked for it. */
  source_markers: ParentBiomarkerData[] | null
  /** Key into `performing_laboratories`. */
  performing_laboratory: string | null
  /** Key into `sample_information`. */
  source_sample_id: string | null
}

export interface BloodOxygenGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: BloodOxygenSample[]
}

export interface BloodOxygenGroups {
  /** By provider slug. */
  groups: Record<string, BloodOxygenGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface BloodOxygenMerged {
  /** The items. */
  data: BloodOxygenSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Oxygen saturation (SpO2). */
export interface BloodOxygenSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: '%'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Oxygen saturation (SpO2). */
export interface BloodOxygenSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: '%'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface BloodPressureGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: BloodPressureSample[]
}

export interface BloodPressureGroups {
  /** By provider slug. */
  groups: Record<string, BloodPressureGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Systolic and diastolic pressure. */
export interface BloodPressureSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'mmHg'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** Upper pressure, mmHg. */
  systolic: number
  /** Lower pressure, mmHg. */
  diastolic: number
  /** Source type, workout id, sport and device id of the group. */
  grouping: (string | null)[]
}

export interface BloodPressureSampleInput {
  /** Upper pressure, mmHg. */
  systolic: QuantitySample
  /** Lower pressure, mmHg. */
  diastolic: QuantitySample
  pulse?: QuantitySample | null
}

export interface BloodPressureUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** Pairs of an upper and a lower pressure. */
  data: BloodPressureSampleInput[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface Body {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * The calendar date at 00:00 UTC.
   * @format date-time
   * @deprecated
   */
  date: string
  /**
   * Local date of the measurement.
   * @format date
   */
  calendar_date: string
  /** kg */
  weight: number | null
  /** % */
  fat: number | null
  /** % */
  water_percentage: number | null
  /** % */
  muscle_mass_percentage: number | null
  /** % */
  bone_mass_percentage: number | null
  /** A scalar without a unit. */
  visceral_fat_index: number | null
  /** Samples of the body mass index. Unit: kg/m². */
  body_mass_index: number | null
  /** kg */
  lean_body_mass_kilogram: number | null
  /** cm */
  waist_circumference_centimeter: number | null
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
}

export interface BodyFatGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: BodyFatSample[]
}

export interface BodyFatGroups {
  /** By provider slug. */
  groups: Record<string, BodyFatGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface BodyFatMerged {
  /** The items. */
  data: BodyFatSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Body fat percentage. */
export interface BodyFatSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: '%'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Body fat percentage. */
export interface BodyFatSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: '%'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface BodyMassIndexGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: BodyMassIndexSample[]
}

export interface BodyMassIndexGroups {
  /** By provider slug. */
  groups: Record<string, BodyMassIndexGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface BodyMassIndexMerged {
  /** The items. */
  data: BodyMassIndexSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Body mass index. */
export interface BodyMassIndexSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'index'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Body mass index. */
export interface BodyMassIndexSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'index'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface BodyTemperatureDeltaGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: BodyTemperatureDeltaSample[]
}

export interface BodyTemperatureDeltaGroups {
  /** By provider slug. */
  groups: Record<string, BodyTemperatureDeltaGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface BodyTemperatureDeltaMerged {
  /** The items. */
  data: BodyTemperatureDeltaSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Deviation from the person's baseline temperature. */
export interface BodyTemperatureDeltaSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: '°C'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
  sensor_location:
    | 'armpit'
    | 'body'
    | 'ear'
    | 'finger'
    | 'gastrointestinal'
    | 'mouth'
    | 'rectum'
    | 'toe'
    | 'eardrum'
    | 'temporal_artery'
    | 'forehead'
    | 'wrist'
    | null
}

/** Deviation from the person's baseline temperature. */
export interface BodyTemperatureDeltaSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: '°C'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface BodyTemperatureGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: BodyTemperatureSample[]
}

export interface BodyTemperatureGroups {
  /** By provider slug. */
  groups: Record<string, BodyTemperatureGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface BodyTemperatureMerged {
  /** The items. */
  data: BodyTemperatureSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Body temperature. */
export interface BodyTemperatureSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: '°C'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
  sensor_location:
    | 'armpit'
    | 'body'
    | 'ear'
    | 'finger'
    | 'gastrointestinal'
    | 'mouth'
    | 'rectum'
    | 'toe'
    | 'eardrum'
    | 'temporal_artery'
    | 'forehead'
    | 'wrist'
    | null
}

/** Body temperature. */
export interface BodyTemperatureSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: '°C'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface BodyUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: BodyUploadData
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface BodyUploadData {
  /** Samples of the weight. */
  body_mass?: QuantitySample[] | null
  /** Samples of the share of fat. */
  body_fat_percentage?: QuantitySample[] | null
  /** Samples of the body mass index. */
  body_mass_index?: QuantitySample[] | null
  /** Samples of the mass without fat. */
  lean_body_mass?: QuantitySample[] | null
  /** Samples of the waist. */
  waist_circumference?: QuantitySample[] | null
  /** Pairs of a date and an IANA zone. */
  time_zones?: unknown
}

export interface BodyWeightGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: BodyWeightSample[]
}

export interface BodyWeightGroups {
  /** By provider slug. */
  groups: Record<string, BodyWeightGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface BodyWeightMerged {
  /** The items. */
  data: BodyWeightSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Body mass. */
export interface BodyWeightSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'kg'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Body mass. */
export interface BodyWeightSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'kg'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface BulkExport {
  /** Slug of the provider. */
  provider:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'strava'
    | 'wahoo'
    | 'withings'
    | 'ihealth'
    | 'google_fit'
    | 'omron'
    | 'dexcom_v3'
    | 'polar'
    | 'cronometer'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
  /** People it is about. */
  user_ids?: string[] | null
  /** Asks for the next page; null on the last one. */
  next_token?: string | null
}

export interface BulkExportPage {
  /** The items. */
  data: ExportedConnection[]
  /** Asks for the next page; null on the last one. */
  next_token: string | null
}

export interface BulkHistoricalTrigger {
  /** Slug of the provider. */
  provider:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'strava'
    | 'wahoo'
    | 'withings'
    | 'ihealth'
    | 'google_fit'
    | 'omron'
    | 'dexcom_v3'
    | 'polar'
    | 'cronometer'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
  /** People it is about. */
  user_ids: string[]
  /** Answer when it is done, after 20 s at most. */
  wait_for_completion?: boolean
}

export interface BulkImport {
  /** Slug of the provider. */
  provider:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'strava'
    | 'wahoo'
    | 'withings'
    | 'ihealth'
    | 'google_fit'
    | 'omron'
    | 'dexcom_v3'
    | 'polar'
    | 'cronometer'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
  /** Connections to take over, each of another person. */
  connections: ConnectionRecipe[]
  /** Answer when it is done, after 20 s at most. */
  wait_for_completion?: boolean
}

/** Both are empty when it was not waited for. */
export interface BulkImportResult {
  user_ids_imported: string[]
  user_ids_failed: string[]
}

export interface BulkOperation {
  /** What kind it is. */
  type: 'link_bulk_import' | 'link_bulk_historical_trigger'
  /** The state it is in. */
  status: 'in_progress' | 'success' | 'failure' | 'aborted'
  /** Slug of the provider. */
  provider: string
  pending: number
  /** With those that failed. */
  processed: number
  failed: number
  /**
   * When it began.
   * @format date-time
   */
  started_at: string
  /**
   * When it ended; null while it runs.
   * @format date-time
   */
  ended_at: string | null
}

export interface BulkOperations {
  /** The items. */
  data: BulkOperation[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface BulkPause {
  /** Slug of the provider. */
  provider:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'strava'
    | 'wahoo'
    | 'withings'
    | 'ihealth'
    | 'google_fit'
    | 'omron'
    | 'dexcom_v3'
    | 'polar'
    | 'cronometer'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
  /** People it is about. */
  user_ids: string[]
}

export interface BulkSample {
  /**
   * The time that offsets count from.
   * @format instant
   */
  anchor: string
  /** One value for each pair of offsets. */
  value: number[]
  /** Seconds from the anchor. */
  start_offset: number[]
  /** Seconds from the anchor. */
  end_offset: number[]
  /** Id of the app that made it. */
  source_bundle?: string | null
  /** Model of the device that made it. */
  product_type?: string | null
  /** What kind it is. */
  type?:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
  /** Further facts of the source, as texts by name. */
  metadata?: Record<string, string> | null
}

export interface CaffeineGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: CaffeineSample[]
}

export interface CaffeineGroups {
  /** By provider slug. */
  groups: Record<string, CaffeineGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface CaffeineMerged {
  /** The items. */
  data: CaffeineSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Caffeine taken in. */
export interface CaffeineSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'g'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Caffeine taken in. */
export interface CaffeineSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'g'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface CaloriesActiveGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: CaloriesActiveSample[]
}

export interface CaloriesActiveGroups {
  /** By provider slug. */
  groups: Record<string, CaloriesActiveGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface CaloriesActiveMerged {
  /** The items. */
  data: CaloriesActiveSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Energy burned by activity. */
export interface CaloriesActiveSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'kcal'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Energy burned by activity. */
export interface CaloriesActiveSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'kcal'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface CaloriesBasalGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: CaloriesBasalSample[]
}

export interface CaloriesBasalGroups {
  /** By provider slug. */
  groups: Record<string, CaloriesBasalGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface CaloriesBasalMerged {
  /** The items. */
  data: CaloriesBasalSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Energy burned at rest. */
export interface CaloriesBasalSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'kcal'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Energy burned at rest. */
export interface CaloriesBasalSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'kcal'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface CanonicalCandidate {
  display_name: string
  aliases: string[]
  /** Names what is measured, whatever the lab. */
  loinc_set_hash: string
  loinc_codes: string[]
  loinc_components: string[]
  /** Not available; always empty. */
  loinc_groups: string[]
  cpt_codes: string[]
  /** The laboratory's own codes of markers. */
  provider_ids: string[]
  popularity_score: number
  confidence: number
}

export interface CarbohydratesGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: CarbohydratesSample[]
}

export interface CarbohydratesGroups {
  /** By provider slug. */
  groups: Record<string, CarbohydratesGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface CarbohydratesMerged {
  /** The items. */
  data: CarbohydratesSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Carbohydrates taken in. */
export interface CarbohydratesSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'g'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Carbohydrates taken in. */
export interface CarbohydratesSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'g'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface CatalogChanges {
  inserted: number
  updated: number
  unchanged: number
}

export interface CatalogReport {
  /** Nothing was kept. */
  dry_run: boolean
  labs: CatalogChanges
  loincs: CatalogChanges
  markers: CatalogChanges
  /** Markers that the catalog no longer has. */
  deactivated: number
  expected_results: CatalogChanges
  lab_accounts: CatalogChanges
  physicians: CatalogChanges
}

export interface CervicalMucus {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** What was observed. */
  quality: 'dry' | 'sticky' | 'creamy' | 'watery' | 'egg_white'
}

export interface Chart {
  resource: string
  /** Unit of the value. */
  unit: string
  /** Amounts that add up, readings, or pairs of readings. */
  kind: 'sum' | 'level' | 'pair'
  /** What a bucket lasts. Days, weeks from Monday and months are those of the person. */
  bucket:
    | 'second'
    | '5_seconds'
    | '15_seconds'
    | 'minute'
    | '5_minutes'
    | '15_minutes'
    | 'hour'
    | '3_hours'
    | '6_hours'
    | 'day'
    | 'week'
    | 'month'
  /**
   * How sources were merged: as the merged read does, or by choosing one for each quarter of an
   * hour.
   */
  precision: 'exact' | 'quarter_hours'
  /** That have data here; the best first. */
  sources: MergedSource[]
  origins: ChartOrigin[]
  /** From when on the person had which local time, told to the bucket. */
  local_times: ChartLocalTime[]
  lines: ChartLine[]
}

/** Of blood pressure; the others are systolic. */
export interface ChartDiastolic {
  mean: number[]
  min: number[]
  max: number[]
  last: number[]
}

/** Columns of one length. */
export interface ChartLine {
  /** Samples of each type have a line of their own. */
  type: string | null
  /** Position in sources; null where sources are merged. */
  source: number | null
  /** Unix seconds, in order. A bucket without data is left out. */
  start: number[]
  /** Unix seconds; the bucket ends before. */
  end: number[]
  /** Seconds east of UTC where the person was at the start of the data. */
  timezone_offset: number[]
  /** The local day of the person, or the first one of a week or month; null for shorter buckets. */
  calendar_date: string[] | null
  /** Samples that take part. */
  count: number[]
  /** Null for readings. */
  sum: number[] | null
  /** Null for a sum. */
  mean: number[] | null
  min: number[] | null
  max: number[] | null
  /** The latest reading of the bucket. */
  last: number[] | null
  /** Lower pressure, mmHg. */
  diastolic: ChartDiastolic | null
  /** Position in origins: which sources the value is from. */
  origin: number[]
}

export interface ChartList {
  /** The items. */
  data: ChartListItem[]
  /** From when on the person had which local time, as the data of all series say together. */
  local_times: ChartLocalTime[]
}

export interface ChartListItem {
  resource: string
  /** Unit of the value. */
  unit: string
  kind: 'sum' | 'level' | 'pair'
  /** @format date-time */
  oldest_data: string
  /** @format date-time */
  newest_data: string
}

export interface ChartLocalTime {
  /**
   * The list that is looked into.
   * @format date-time
   */
  from: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** False for the first, and where the clock of the person's zone was changed. */
  is_journey: boolean
}

export interface ChartOrigin {
  /** Whose samples take part. Positions in sources. */
  used: number[]
  /** That have samples there which do not. Positions in sources. */
  set_aside: number[]
}

export interface CholesterolGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: CholesterolSample[]
}

export interface CholesterolGroups {
  /** By provider slug. */
  groups: Record<string, CholesterolGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface CholesterolMerged {
  /** The items. */
  data: CholesterolSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Blood lipids. */
export interface CholesterolSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: 'cholesterol/ldl' | 'cholesterol/hdl' | 'cholesterol/total' | 'cholesterol/triglycerides'
  /** Unit of the value. */
  unit: 'mmol/L'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Blood lipids. */
export interface CholesterolSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'mmol/L'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface ClinicalInformation {
  /** The patient must not have eaten. */
  fasting: boolean
  /** For whoever reads the order. */
  notes: string | null
  information: string | null
  total_volume: string | null
}

/**
 * How many records had their local time told by which rule. Records that are quarantined or not
 * supported, and heights, have none.
 */
export interface ClockReport {
  /** By the zone that the record names (`HKTimeZone`). */
  record_zone: number
  /** By the offset of the record, in a file whose offsets are its own. */
  record_offset: number
  /** By the zone that records around it in time name. */
  zones_around: number
  /** By the user's fallback time zone. */
  fallback_zone: number
  /** By the nearest zone in time, however far, as the user has no fallback time zone. */
  nearest_zone: number
  /** By the offset at which the export was made, as nothing else is known. */
  export_offset: number
}

export interface CommunicationSettings {
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string
  /** Whether the patient gets text messages. */
  sms_enabled: boolean
}

export interface CompanyDetails {
  /** Name. */
  name: string
  /** Postal address. */
  address: Address
}

export interface CompendiumAnswer {
  /** How it is done. */
  mode: string
  selected_canonical: CanonicalCandidate | null
  canonical_candidates: CanonicalCandidate[]
  per_lab: Record<string, PerLabCandidate[]>
  related: RelatedCandidate[]
}

export interface CompendiumConversion {
  /**
   * Id of the lab test.
   * @format uuid
   */
  lab_test_id?: string | null
  /** The laboratory's own codes of markers. */
  provider_ids?: string[] | null
  /** Slug of the laboratory that is asked. */
  target_lab: 'labcorp' | 'quest' | 'bioreference' | 'sonora_quest'
  /** How many a page holds at most. */
  limit?: number
}

export interface CompendiumSearch {
  /** How it is done. */
  mode: 'canonical' | 'crosswalk'
  /** What is asked. */
  query?: string | null
  /** Only tests that share one of these codes. */
  cpt_codes?: string[]
  /** Which canonical test is meant, as an earlier answer calls it. */
  loinc_set_hash?: string | null
  /** Labs of per_lab; all by default. */
  labs?: ('labcorp' | 'quest' | 'bioreference' | 'sonora_quest')[] | null
  /** Also what is close to it. */
  include_related?: boolean
  /** How many a page holds at most. */
  limit?: number
}

export interface ConnectedSource {
  /** Slug of the provider. */
  provider: ProviderRef
  /** Where it comes from. */
  source: ProviderRef
  /**
   * When it was made.
   * @format date-time
   */
  created_on: string
}

export interface ConnectionErrorDetails {
  /** Code of what went wrong. */
  error_type: string
  /** What went wrong, in words. */
  error_message: string
  /** @format date-time */
  errored_at: string
}

export interface ConnectionRecipe {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Send it as `Authorization: Bearer`. */
  access_token: string
  /** Gives the next pair of tokens, once. */
  refresh_token: string
  /** The laboratory's own code. */
  provider_id: string
  /** Epoch seconds. OAuth 1.0a: 2147483647, and the secret as refresh_token. */
  expires_at: number
  /** What the person granted; null when it is not known. */
  oauth_scopes?: string[] | null
}

export interface Consent {
  /** What the patient agreed to. */
  consentType:
    | 'terms-of-use'
    | 'telehealth-informed-consent'
    | 'mobile-terms-and-conditions'
    | 'notice-of-privacy-practices'
    | 'privacy-policy'
    | 'hipaa-authorization'
  /** Version of the text. */
  version?: string
  /**
   * When the patient agreed.
   * @format instant
   */
  timeOfConsent?: string
}

export type ContinuousQuery = {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** The state it is in. */
  status: 'active' | 'archived'
  /** Short name. */
  slug: string
  /** Title. */
  title: string
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string | null
  /** What is asked. */
  query: Record<string, unknown>
  /** How sources are weighed against each other. */
  query_config: Record<string, unknown> | null
  /** How often it is evaluated. */
  scheduling_preferences: {
    /** Least seconds between two evaluations. */
    minimum_gap_duration_second: number | null
  }
  result_table_schema: ResultTableSchema
  /** Series and summaries that the query reads. */
  resource_dependencies: string[]
  /** What is made of new results. */
  export_preferences: {
    /** Whether events tell of new results. */
    data_events: {
      /** Switched on. */
      enabled: boolean
    }
    fhir_observations: boolean
  }
  fhir_observation_mappers: unknown[]
}

export interface ContinuousQueryCreate {
  /** Names the query for good; unique in its environment, archived queries included. */
  slug: string
  /** Title. */
  title: string
  /** What is asked. */
  query: Query
  /** How sources are weighed against each other. */
  query_config?: QueryConfig | null
  /** How often it is evaluated. */
  scheduling_preferences?: ContinuousQuerySchedulingPreferencesInput | null
  /** What is made of new results. */
  export_preferences?: ContinuousQueryExportPreferencesInput | null
}

export type ContinuousQueryExportPreferencesInput = {
  /** Whether events tell of new results. */
  data_events?: {
    /** Switched on. */
    enabled?: boolean
  }
  /** Kept; nothing is exported by it yet. */
  fhir_observations?: boolean
}

export interface ContinuousQueryList {
  /** The items. */
  data: ContinuousQuery[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ContinuousQueryResultTable {
  /** Columns of equal length, by name. */
  table: Record<string, unknown[]>
  /**
   * Which sources count: `merged`, each instant once, by the merge of all sources; `one_source`, of
   * each group the rows of one source; `all_sources`, the rows of every source, also where several
   * measured the same.
   */
  source_rule: 'merged' | 'one_source' | 'all_sources'
}

export interface ContinuousQuerySchedulingPreferencesInput {
  /** Least time between two evaluations for one person; null is 1800. */
  minimum_gap_duration_second?: number | null
}

export interface ContinuousQueryTask {
  /**
   * Id of the continuous query.
   * @format uuid
   */
  query_id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** The state it is in. */
  status: 'scheduled' | 'started' | 'completed' | 'error' | 'skipped'
  /**
   * When it is due.
   * @format date-time
   */
  scheduled_at: string
  /**
   * When it began.
   * @format date-time
   */
  started_at: string | null
  /**
   * When it ended; null while it runs.
   * @format date-time
   */
  ended_at: string | null
  /** What went wrong; null when nothing did. */
  error_details: string | null
}

export interface ContinuousQueryTaskHistory {
  /** The items. */
  data: ContinuousQueryTask[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ContinuousQueryUpdate {
  /** Title. */
  title?: string
  /** How often it is evaluated. */
  scheduling_preferences?: ContinuousQuerySchedulingPreferencesInput | null
}

export interface ContinuousQueryValidation {
  result_table_schema: ResultTableSchema
  /** Series and summaries that the query reads. */
  resource_dependencies: string[]
  fhir_observation_previews: null
}

export interface Contraceptive {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** What kind it is. */
  type: 'unspecified' | 'implant' | 'injection' | 'iud' | 'intravaginal_ring' | 'oral' | 'patch'
}

export interface ConversionAnswer {
  /** @format uuid */
  source_lab_test_id: string | null
  source_lab_id: number | null
  target_lab_id: number
  target_lab_slug: string
  source_provider_ids: string[]
  converted_provider_ids: string[]
  unresolved_provider_ids: string[]
  by_source_provider_id: Record<string, ProviderIdConversion>
}

export type CredentialPreparations = {
  /** The state it is in. */
  status: 'no_action_needed' | 'preparations_required'
  preparation_steps: {
    /** What kind it is. */
    type: 'redirect_uri' | 'webhook_uri' | 'iam_principal'
    /** The secret, beginning with whsec_; null makes a new one. */
    key: string
    /** In the unit beside it. */
    value: string
    /** What it is, in words. */
    description: string
  }[]
}

export interface CredentialReach {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  environment: 'sandbox' | 'production'
  /**
   * The one person that it reaches; null is everybody.
   * @format uuid
   */
  user_id: string | null
  access: 'read' | 'write'
}

export interface CycleBasalBodyTemperature {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** In the unit beside it. Unit: °C. */
  value: number
}

export type DataPullPreferenceUpdate = {
  /** Ids of teams. */
  team_ids: string[]
  /** By provider slug. */
  providers: Record<
    string,
    {
      /** Of all resources that are not named. */
      default: {
        /** Days of history. */
        historical_days_to_pull: number
      }
      /** Of single resources. */
      resource_overrides?: Record<
        string,
        {
          /** Days of history. */
          historical_days_to_pull: number
        }
      > | null
    }
  >
}

export type DataPullPreferences = {
  data_pull_preferences: {
    /**
     * Id of the team.
     * @format uuid
     */
    team_id: string
    /** By provider slug, also of those of which the team chose nothing. */
    providers: Record<
      string,
      {
        /** Of all resources that are not named. */
        default: {
          /** Days of history. */
          historical_days_to_pull: number
          historical_days_to_pull_limit: number
        }
        /** Of single resources. */
        resource_overrides: Record<
          string,
          {
            /** Days of history. */
            historical_days_to_pull: number
            historical_days_to_pull_limit: number
          }
        >
      }
    >
  }[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface DaySlots {
  location: AppointmentLocation | null
  /**
   * The day or instant.
   * @format date
   */
  date: string
  slots: TimeSlot[]
}

export interface DaySummary {
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** kcal */
  active_energy_burned_sum?: number | null
  /** kcal */
  basal_energy_burned_sum?: number | null
  /** Steps of the day. */
  steps_sum?: number | null
  /** Floors of the day. */
  floors_climbed_sum?: number | null
  /** Distance of the day on foot. Unit: m. */
  distance_walking_running_sum?: number | null
  /** Maximal oxygen uptake, mL/kg/min. */
  vo2_max?: number | null
  /** min */
  low?: number | null
  /** min */
  medium?: number | null
  /** min */
  high?: number | null
  /** min */
  exercise_time?: number | null
  /** bpm */
  max_heart_rate?: number | null
  /** bpm */
  min_heart_rate?: number | null
  /** bpm */
  avg_heart_rate?: number | null
  /** bpm */
  resting_heart_rate?: number | null
  /** Distance of the day in a wheelchair. Unit: m. */
  distance_wheelchair?: number | null
  /** The person uses a wheelchair. */
  wheelchair_use?: boolean | null
  /** Pushes of a wheelchair. */
  wheelchair_push?: number | null
}

export interface DaylightExposureGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: DaylightExposureSample[]
}

export interface DaylightExposureGroups {
  /** By provider slug. */
  groups: Record<string, DaylightExposureGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface DaylightExposureMerged {
  /** The items. */
  data: DaylightExposureSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Time in daylight. */
export interface DaylightExposureSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'min'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Time in daylight. */
export interface DaylightExposureSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'min'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export type DeliveryStatus = {
  outbox: {
    /** For which no endpoints were chosen yet. */
    events: number
    /** @format date-time */
    oldest_at: string | null
  }
  /** Of the last hour: events written, and attempts by their outcome. */
  minutes: {
    /** @format date-time */
    at: string
    events: number
    succeeded: number
    failed: number
  }[]
  /**
   * Of all teams, those in trouble first. Times are of the newest 500 attempts of the last hour;
   * lag is from the event to its first attempt.
   */
  endpoints: {
    /**
     * Id of the webhook.
     * @format uuid
     */
    webhook_id: string
    /** How the team is called and shown. */
    team: TeamOfRow | null
    /** Of the address. */
    host: string
    disabled_reason: 'manual' | 'gone' | 'failing' | null
    /** @format date-time */
    failing_since: string | null
    /** Since the last success. */
    failures: number
    /** Never attempted yet. */
    pending: number
    /** @format date-time */
    oldest_pending_at: string | null
    /** Failed, and to be tried again. */
    retrying: number
    /** Attempts of the last hour. */
    succeeded: number
    /** Attempts of the last hour. */
    failed: number
    /** Milliseconds. */
    duration_p50_ms: number | null
    /** Milliseconds. */
    duration_p95_ms: number | null
    /** Milliseconds. */
    lag_p50_ms: number | null
    /** Milliseconds. */
    lag_p95_ms: number | null
  }[]
}

export interface DemoConnection {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Slug of the provider. */
  provider: 'apple_health_kit' | 'fitbit' | 'freestyle_libre' | 'oura'
}

export interface DemoConnectionResult {
  /** Whether it was done. */
  success: boolean
  /** Why not, where there is no success. */
  detail: string
}

export type DemoTeam = {
  /** `none`: the organization has no demo team. */
  status: 'none' | 'filling' | 'ready' | 'failed'
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string | null
  /**
   * Whom to look at first, as soon as there is something to see.
   * @format uuid
   */
  first_user_id: string | null
  /** In the order in which they are done. */
  steps: {
    step:
      | 'settings'
      | 'first_person'
      | 'people'
      | 'orders'
      | 'unmatched_results'
      | 'history'
      | 'lab_reports'
    /** The state it is in. */
    status: 'waiting' | 'running' | 'done' | 'failed'
  }[]
  /** Why it failed. */
  problem: string | null
  /**
   * When it began.
   * @format date-time
   */
  started_at: string | null
  /**
   * When it ended; null while it runs.
   * @format date-time
   */
  ended_at: string | null
}

export interface DetectedDeviation {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** What deviates. */
  deviation:
    | 'persistent_intermenstrual_bleeding'
    | 'prolonged_menstrual_periods'
    | 'irregular_menstrual_cycles'
    | 'infrequent_menstrual_cycles'
}

export interface Device {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Slug of the provider. */
  provider: string
  /** What kind of thing made it. */
  source_type: string
  /** Id of the app that made it. */
  app_id: string | null
  /** Maker of the device. */
  device_manufacturer: string | null
  /** Model of the device. */
  device_model: string | null
  /** Version of the device. */
  device_version: string | null
  /** Id of the device. */
  device_id: string | null
}

export interface Diagnosis {
  /** With its dot. */
  diagnosis_code: string
  /** What it is, in words. */
  description: string
  /** May not be the first code. */
  is_secondary: boolean
}

export type DiagnosisCodesReport = {
  /** Nothing was kept. */
  dry_run: boolean
  codes: {
    added: number
    changed: number
    removed: number
    unchanged: number
  }
  /** Codes that are valid for claims. */
  billable: number
  /** For whoever reads the order. */
  notes: {
    excludes1: number
    excludes2: number
    code_first: number
    /** Notes whose condition is told in words. */
    unread: number
  }
}

export interface DistanceGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: DistanceSample[]
}

export interface DistanceGroups {
  /** By provider slug. */
  groups: Record<string, DistanceGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface DistanceMerged {
  /** The items. */
  data: DistanceSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Distance covered on foot or by wheelchair. */
export interface DistanceSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'm'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Distance covered on foot or by wheelchair. */
export interface DistanceSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'm'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface DocumentList {
  documents: PersonDocument[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface Electrocardiogram {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Beginning of the record.
   * @format date-time
   */
  session_start: string
  /**
   * End of the record.
   * @format date-time
   */
  session_end: string
  /** Samples. */
  voltage_sample_count: number
  /** bpm */
  heart_rate_mean: number | null
  /** How often the voltage was measured. Unit: Hz. */
  sampling_frequency_hz: number | null
  /** What the device says of the rhythm. */
  classification: 'sinus_rhythm' | 'atrial_fibrillation' | 'inconclusive' | null
  /** Why the device says nothing of the rhythm. */
  inconclusive_cause: 'high_heart_rate' | 'low_heart_rate' | 'poor_reading' | null
  /** Version of what classified it. */
  algorithm_version: string | null
  /** IANA time zone. */
  time_zone: string | null
  /** Provider slug. */
  source_provider: string
  /** What kind of thing made it. */
  source_type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
  /** Id of the app that made it. */
  source_app_id: string | null
  /**
   * Id of the device.
   * @format uuid
   */
  source_device_id: string | null
  /** Model of the device. */
  source_device_model: string | null
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
}

export interface ElectrocardiogramUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: ElectrocardiogramUploadItem[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface ElectrocardiogramUploadItem {
  /** The record. */
  electrocardiogram: ElectrocardiogramUploadRecord
  /** The curve of the record. */
  voltage_data?: VoltageData | null
}

export interface ElectrocardiogramUploadRecord {
  /** Id. */
  id?: string | null
  /**
   * Beginning of the record.
   * @format instant
   */
  session_start: string
  /**
   * End of the record.
   * @format instant
   */
  session_end: string
  /** How many voltages the record has. */
  voltage_sample_count?: number | null
  /** bpm */
  heart_rate_mean?: number | null
  /** How often the voltage was measured. Unit: Hz. */
  sampling_frequency_hz?: number | null
  /** What the device says of the rhythm. */
  classification?: string | null
  /** Why the device says nothing of the rhythm. */
  inconclusive_cause?: string | null
  /** Version of what classified it. */
  algorithm_version?: string | null
  /** Model of the device. */
  device_model?: string | null
  /** Id of the app that made it. */
  source_bundle?: string | null
  /** Model of the device that made it. */
  product_type?: string | null
  /** What kind of thing made it. */
  source_type?:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
  /** Further facts of the source, as texts by name. */
  metadata?: Record<string, string> | null
}

export interface ElectrocardiogramVoltageGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: ElectrocardiogramVoltageSample[]
}

export interface ElectrocardiogramVoltageGroups {
  /** By provider slug. */
  groups: Record<string, ElectrocardiogramVoltageGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Lead voltage; the type names the lead. */
export interface ElectrocardiogramVoltageSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: string
  /** Unit of the value. */
  unit: 'mV'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

export interface EmailSignIn {
  /**
   * E-mail address.
   * @format email
   */
  email: string
  /** Region of the team. */
  region?:
    | 'us'
    | 'eu'
    | 'de'
    | 'fr'
    | 'ca'
    | 'br'
    | 'ar'
    | 'cl'
    | 'co'
    | 'mx'
    | 'gb'
    | 'ie'
    | 'au'
    | 'nz'
    | 'nl'
    | 'at'
    | 'be'
    | 'bh'
    | 'ch'
    | 'cz'
    | 'dk'
    | 'eg'
    | 'es'
    | 'fi'
    | 'gr'
    | 'hr'
    | 'il'
    | 'it'
    | 'jo'
    | 'kw'
    | 'lb'
    | 'lu'
    | 'no'
    | 'om'
    | 'pl'
    | 'pt'
    | 'qa'
    | 'sa'
    | 'se'
    | 'si'
    | 'sk'
    | 'tr'
    | 'za'
    | 'in'
    | 'sg'
    | 'hk'
    | 'kr'
    | 'ph'
    | 'tw'
    | null
  /**
   * Slug of the provider.
   * @deprecated
   */
  provider?:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | null
}

export interface EndedMobileSessions {
  /** How many sessions were ended. */
  ended: number
}

export interface Erasure {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  cause: 'requested' | 'deleted'
  /** The state it is in. */
  status: 'scheduled' | 'running' | 'completed'
  /** @format date-time */
  requested_at: string
  /** @format date-time */
  due_at: string
  /**
   * When it began.
   * @format date-time
   */
  started_at: string | null
  /** @format date-time */
  completed_at: string | null
  receipt: string | null
  statement: ErasureStatement | null
}

export type ErasureDryRun = {
  removed: {
    /** Rows by table. */
    postgresql: Record<string, number>
    /** Rows by table. */
    clickhouse: Record<string, number>
    /** Files by kind. */
    files: Record<string, number>
  }
  kept: {
    /** Columns of equal length, by name. */
    table: string
    reason: string
  }[]
  not_covered: string[]
}

export interface ErasureList {
  /** The items. */
  data: Erasure[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export type ErasureStatement = {
  /** What kind it is. */
  type: 'salus_erasure_receipt'
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** @format uuid */
  environment_id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  cause: 'requested' | 'deleted'
  /** @format date-time */
  requested_at: string
  /**
   * When it began.
   * @format date-time
   */
  started_at: string
  /** @format date-time */
  erased_at: string
  removed: {
    /** Rows by table. */
    postgresql: Record<string, number>
    /** Rows by table. */
    clickhouse: Record<string, number>
    /** Files by kind. */
    files: Record<string, number>
  }
  kept: {
    /** Columns of equal length, by name. */
    table: string
    reason: string
  }[]
  not_covered: string[]
  /** Of the form of the receipt; 1 has none. */
  version?: 2
  /** What was looked through before the receipt was signed. */
  searched?: {
    /** Tables of PostgreSQL, the queue of jobs included. */
    postgresql_tables: number
    /** Tables of ClickHouse. */
    clickhouse_tables: number
    /** Files, by their names, and by what they say where no row owns them. */
    files: number
    /** Ids that were looked for: of the person, their orders, appointments, jobs. */
    ids: number
    /** Names, addresses, numbers and accounts that were looked for. */
    words: number
  }
  /**
   * What holds an id or a word of the person and is in no table of people, so that it was not
   * removed: look at it. It may be about another person of the same name.
   */
  remaining?: {
    /** Where it is. */
    store: 'postgresql' | 'clickhouse' | 'files'
    /** The table, or the kind of file. */
    table: string
    /** Rows, or files. */
    rows: number
  }[]
  /** What no question to ClickHouse reaches, of all people, when the receipt was signed. */
  outdated?: {
    /** Files that were rewritten, and go within minutes. */
    clickhouse_outdated_parts: number
    /** Files that were taken out of their tables. */
    clickhouse_detached_parts: number
  }
}

export type EventDetail = {
  /** Id. */
  id: string
  /** Type of the event. */
  event_type: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /** Endpoints were chosen for it. */
  is_dispatched: boolean
  /** Why no endpoint got it. */
  unsent_reason: string | null
  deliveries: WebhookDelivery[]
  unsent_explanation: string | null
  /** Endpoints of today without a delivery, and why, by their settings of today. */
  not_sent_to: {
    /**
     * Id of the webhook.
     * @format uuid
     */
    webhook_id: string
    reason: 'not_subscribed' | 'disabled' | 'created_later' | 'left_out'
  }[]
  /** The message as it is sent. */
  payload: unknown
}

export interface EventExplanation {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Type of the event. */
  event_type: string
  last_event: EventSummary | null
  /** What stands in the way of such an event today, or of its delivery. */
  reasons: MissingEventReason[]
  /** @format date-time */
  events_since: string | null
}

export interface EventList {
  /** The items. */
  data: EventSummary[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface EventSummary {
  /** Id. */
  id: string
  /** Type of the event. */
  event_type: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /** Endpoints were chosen for it. */
  is_dispatched: boolean
  /** Why no endpoint got it. */
  unsent_reason: string | null
  deliveries: WebhookDelivery[]
}

export type EventTypeList = {
  /** The items. */
  data: {
    /** Name. */
    name: string
    /** What it tells. */
    meaning: string
    is_about_user: boolean
    /** JSON Schema of data. */
    schema: unknown
    example: unknown
  }[]
}

/** Upright, around the polygon; the origin is the upper left corner. */
export interface EvidenceBox {
  /** In parts of the page, from 0 to 1. */
  x: number
  /** In parts of the page, from 0 to 1. */
  y: number
  /** In parts of the page, from 0 to 1. */
  width: number
  /** In parts of the page, from 0 to 1. */
  height: number
}

export interface EvidencePage {
  number: number
  /** Points of a PDF, pixels of an image. */
  width: number
  /** Height of the person. */
  height: number
  /** Whether the file says its text, or it was recognized in the picture. */
  source: 'text_layer' | 'recognized'
}

export interface EvidencePoint {
  /** In parts of the page, from 0 to 1. */
  x: number
  /** In parts of the page, from 0 to 1. */
  y: number
}

export interface ExpectedResult {
  /** Id. */
  id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** Number of the laboratory. */
  lab_id: number | null
  /** The laboratory's own code. */
  provider_id: string | null
  /** False for what is reported only sometimes (reflex). */
  required: boolean
  /** LOINC code. */
  loinc: Loinc | null
}

export interface ExportLink {
  /** Address that events are sent to. */
  url: string
  /**
   * Until when it is good.
   * @format date-time
   */
  expires_at: string
}

export interface ExportLinkCreate {
  /** How long the link opens the file; never longer than the export is there. */
  expires_in_seconds?: number
}

export interface ExportedConnection {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Send it as `Authorization: Bearer`. */
  access_token: string
  /** Gives the next pair of tokens, once. */
  refresh_token: string
  /** The laboratory's own code. */
  provider_id: string
  /** Epoch seconds. OAuth 1.0a: 2147483647, and the secret as refresh_token. */
  expires_at: number
  /** What the person granted; null when it is not known. */
  oauth_scopes: string[] | null
}

export interface FallGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: FallSample[]
}

export interface FallGroups {
  /** By provider slug. */
  groups: Record<string, FallGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface FallMerged {
  /** The items. */
  data: FallSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Falls. */
export interface FallSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Falls. */
export interface FallSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface FallbackBirthDate {
  /**
   * In the unit beside it.
   * @format date
   */
  value: string
  source_slug: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface FallbackTimeZone {
  /** IANA time zone identifier. */
  id: string
  /** `manual`, or the provider it was learned from. */
  source_slug: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface Fats {
  /** g */
  saturated: number | null
  /** g */
  monounsaturated: number | null
  /** g */
  polyunsaturated: number | null
  /** g */
  omega3: number | null
  /** g */
  omega6: number | null
  /** How many there are on all pages. Unit: g. */
  total: number | null
}

export interface FieldEvidence {
  /** As in `data`: `metadata.lab_name`, `results[0].value`. */
  field: string
  /** As printed. */
  text: string
  /** From 1. */
  page: number
  /** That it is read and placed right. */
  confidence: number
  /**
   * Why a value is not to be relied on without a look at the page; empty where it is sure, and for
   * other fields.
   */
  doubts: ('place' | 'parts' | 'name' | 'unit' | 'value' | 'flag' | 'legibility' | 'repeated')[]
  box: EvidenceBox
  /** Four corners, from the upper left one of the text; askew on a photo. */
  polygon: EvidencePoint[]
}

/** Null of files in a bucket. */
export type FileUsage = {
  kinds: {
    kind: string
    files: number
    bytes: number
  }[]
  free_bytes: number
  total_bytes: number
}

export interface FloorsClimbedGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: FloorsClimbedSample[]
}

export interface FloorsClimbedGroups {
  /** By provider slug. */
  groups: Record<string, FloorsClimbedGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface FloorsClimbedMerged {
  /** The items. */
  data: FloorsClimbedSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Floors climbed. */
export interface FloorsClimbedSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Floors climbed. */
export interface FloorsClimbedSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface Food {
  energy: MealEnergy | null
  macros: Macros | null
  micros: Micros | null
}

export interface ForcedExpiratoryVolume1Group {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: ForcedExpiratoryVolume1Sample[]
}

export interface ForcedExpiratoryVolume1Groups {
  /** By provider slug. */
  groups: Record<string, ForcedExpiratoryVolume1Group[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ForcedExpiratoryVolume1Merged {
  /** The items. */
  data: ForcedExpiratoryVolume1Slot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Volume breathed out in the first second of a forced breath. */
export interface ForcedExpiratoryVolume1Sample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'L'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Volume breathed out in the first second of a forced breath. */
export interface ForcedExpiratoryVolume1Slot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'L'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface ForcedVitalCapacityGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: ForcedVitalCapacitySample[]
}

export interface ForcedVitalCapacityGroups {
  /** By provider slug. */
  groups: Record<string, ForcedVitalCapacityGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ForcedVitalCapacityMerged {
  /** The items. */
  data: ForcedVitalCapacitySlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Volume breathed out in a whole forced breath. */
export interface ForcedVitalCapacitySample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'L'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Volume breathed out in a whole forced breath. */
export interface ForcedVitalCapacitySlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'L'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export type FoundUser = {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /** The team's own id of the person. */
  client_user_id: string
  /**
   * When it was made.
   * @format date-time
   */
  created_on: string
  /** Connections of the person. */
  connected_sources: ConnectedSource[]
  /** Zone of days where data name none; null when unknown. */
  fallback_time_zone: FallbackTimeZone | null
  /** Birth date where data name none; null when unknown. */
  fallback_birth_date: FallbackBirthDate | null
  /**
   * Data from before this day are not stored; null is no limit.
   * @format date
   */
  ingestion_start: string | null
  /**
   * Data from after this day are not stored; null is no limit.
   * @format date
   */
  ingestion_end: string | null
  /** Given name. */
  first_name: string | null
  /** Family name. */
  last_name: string | null
  /** E-mail address. */
  email: string | null
  /** Where name and e-mail address stand. */
  name_from: 'demographics' | 'order' | null
  /** Connections to take over, each of another person. */
  connections: {
    /** Slug of the provider. */
    provider: ProviderRef
    /** The state it is in. */
    status: 'connected' | 'error' | 'paused'
    /**
     * When it was made.
     * @format date-time
     */
    created_on: string
  }[]
}

export interface FoundUsers {
  /** People of the page. */
  users: FoundUser[]
  /** How many people match; of a query not more than 10,000 are counted. */
  total: number
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface GetOrdersResponse {
  /** Orders. */
  orders: Order[]
  /**
   * All that match, on all pages; with `total_is_capped` 10,000, or one more than this page and
   * those before it hold, whichever is more.
   */
  total: number
  /** Number of the page, from 1. */
  page: number
  /** How many a page holds at most. */
  size: number
  /**
   * More match than `total` says: only when names are searched by one or two letters. Further pages
   * can be read as usual.
   */
  total_is_capped?: true
}

export interface GlucoseGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: GlucoseSample[]
}

export interface GlucoseGroups {
  /** By provider slug. */
  groups: Record<string, GlucoseGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface GlucoseMerged {
  /** The items. */
  data: GlucoseSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Blood or interstitial glucose. */
export interface GlucoseSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: 'automatic' | 'manual_scan' | 'fingerprick' | null
  /** Unit of the value. */
  unit: 'mmol/L'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Blood or interstitial glucose. */
export interface GlucoseSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'mmol/L'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface GuarantorDetails {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** Postal address. */
  address: Address
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string
  /** E-mail address. */
  email: string | null
  /** Yearly income of the household in US dollars. */
  household_income: number | null
  /** People in the household. */
  household_size: number | null
}

export interface GuarantorDetailsInput {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string
  /**
   * E-mail address.
   * @format email
   */
  email?: string | null
  /** Yearly income of the household in US dollars. */
  household_income?: number | null
  /** People in the household. */
  household_size?: number | null
  /** Postal address. */
  address: AddressInput
}

export interface HandwashingGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: HandwashingSample[]
}

export interface HandwashingGroups {
  /** By provider slug. */
  groups: Record<string, HandwashingGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface HandwashingMerged {
  /** The items. */
  data: HandwashingSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Times hands were washed. */
export interface HandwashingSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Times hands were washed. */
export interface HandwashingSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface HealthConnectMealUpload {
  /** Id of the app that made it. */
  source_bundle?: string | null
  /** What was eaten. */
  nutrition_records: NutritionRecordUpload[]
}

/** @deprecated */
export type HealthInsuranceCreateRequest = {
  /** A picture, as base64. */
  front_image?: {
    /** Base64. */
    content: string
    /** Media type of the picture. */
    content_type: 'image/jpeg' | 'image/png'
  } | null
  /** A picture, as base64. */
  back_image?: {
    /** Base64. */
    content: string
    /** Media type of the picture. */
    content_type: 'image/jpeg' | 'image/png'
  } | null
  /** A picture, as base64. */
  patient_signature_image?: {
    /** Base64. */
    content: string
    /** Media type of the picture. */
    content_type: 'image/jpeg' | 'image/png'
  } | null
  /** What the patient says, for the insurance. */
  subjective?: string | null
  /** What the physician says, for the insurance. */
  assessment_plan?: string | null
  /** Code of the payor, as the search answers it. */
  payor_code?: string | null
  /** Number of the insured. */
  insurance_id?: string | null
  /** Whose insurance it is, as seen from the patient. */
  responsible_relationship?: 'Self' | 'Spouse' | 'Other' | null
  /** Who is insured, where it is not the patient. */
  responsible_details?: {
    /** Given name. */
    first_name: string
    /** Family name. */
    last_name: string
    /** Postal address. */
    address: AddressInput
    /** Telephone number; ten digits count as one of the United States. */
    phone_number: string
    /** Mobile, when not given. */
    phone_type?: string
  } | null
  /** ICD-10 codes, for the insurance. */
  diagnosis_codes?: string[] | null
}

export interface HealthKitMealUpload {
  /** Samples of the nutrient in the meal. */
  source_bundle?: string | null
  /** Samples of the nutrient in the meal. */
  energy_total?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  water?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  caffeine?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  carbohydrates?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  fiber?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  sugar?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  fat_total?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  fat_monounsaturated?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  fat_polyunsaturated?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  fat_saturated?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  cholesterol?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  protein?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  vitamin_a?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  vitamin_b1?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  riboflavin?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  niacin?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  pantothenic_acid?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  vitamin_b6?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  biotin?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  vitamin_b12?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  vitamin_c?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  vitamin_d?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  vitamin_e?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  vitamin_k?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  folic_acid?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  calcium?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  chloride?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  iron?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  magnesium?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  phosphorus?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  potassium?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  sodium?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  zinc?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  chromium?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  copper?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  iodine?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  manganese?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  molybdenum?: QuantitySample[] | null
  /** Samples of the nutrient in the meal. */
  selenium?: QuantitySample[] | null
}

export interface HeartRateAlertGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: HeartRateAlertSample[]
}

export interface HeartRateAlertGroups {
  /** By provider slug. */
  groups: Record<string, HeartRateAlertGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface HeartRateAlertMerged {
  /** The items. */
  data: HeartRateAlertSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** An alert that the device raised. */
export interface HeartRateAlertSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: 'low_heart_rate' | 'high_heart_rate' | 'irregular_rhythm'
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** An alert that the device raised. */
export interface HeartRateAlertSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface HeartRateRecoveryOneMinuteGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: HeartRateRecoveryOneMinuteSample[]
}

export interface HeartRateRecoveryOneMinuteGroups {
  /** By provider slug. */
  groups: Record<string, HeartRateRecoveryOneMinuteGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface HeartRateRecoveryOneMinuteMerged {
  /** The items. */
  data: HeartRateRecoveryOneMinuteSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Drop of the heart rate one minute after exercise, in beats per minute. */
export interface HeartRateRecoveryOneMinuteSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Drop of the heart rate one minute after exercise, in beats per minute. */
export interface HeartRateRecoveryOneMinuteSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface HeartrateGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: HeartrateSample[]
}

export interface HeartrateGroups {
  /** By provider slug. */
  groups: Record<string, HeartrateGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface HeartrateMerged {
  /** The items. */
  data: HeartrateSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Heart rate. */
export interface HeartrateSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'bpm'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Heart rate. */
export interface HeartrateSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'bpm'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export type HistoricalPulls = {
  /** The items. */
  data: {
    /**
     * Id of the person.
     * @format uuid
     */
    user_id: string
    /** Slug of the provider. */
    provider: Record<
      string,
      {
        pulled: Record<string, PullStatistics>
        not_pulled: string[]
      }
    >
  }[]
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface HomePregnancyTest {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** What the test showed. */
  test_result: 'negative' | 'positive' | 'indeterminate'
}

export interface HomeProgesteroneTest {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** What the test showed. */
  test_result: 'negative' | 'positive' | 'indeterminate'
}

export interface HrvGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: HrvSample[]
}

export interface HrvGroups {
  /** By provider slug. */
  groups: Record<string, HrvGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface HrvMerged {
  /** The items. */
  data: HrvSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Heart rate variability in milliseconds. */
export interface HrvSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'rmssd'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
  /** How the sample is taken. */
  method: 'rmssd' | 'sdnn' | null
}

/** Heart rate variability in milliseconds. */
export interface HrvSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'rmssd'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

/** Sleep stage: 1 deep, 2 light, 3 REM, 4 awake, 5 manual, -1 missing. */
export interface HypnogramSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'stage'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

export type IcdValidation = {
  /** No errors and no violations. */
  valid: boolean
  /** One for each code that claims cannot have. */
  errors: string[]
  /** Pairs that exclude each other (excludes1). */
  violations: {
    /** The link code. */
    code: string
    conflicts_with: string
    /** What kind it is. */
    type: string
  }[]
  /** Pairs that overlap (excludes2). */
  warnings: {
    /** The link code. */
    code: string
    overlaps_with: string
    /** What kind it is. */
    type: string
  }[]
}

export interface IgeGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: IgeSample[]
}

export interface IgeGroups {
  /** By provider slug. */
  groups: Record<string, IgeGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface IgeMerged {
  /** The items. */
  data: IgeSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Immunoglobulin E; the type names the allergen. */
export interface IgeSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: string
  /** Unit of the value. */
  unit: 'FSU'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Immunoglobulin E; the type names the allergen. */
export interface IgeSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'FSU'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface IggGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: IggSample[]
}

export interface IggGroups {
  /** By provider slug. */
  groups: Record<string, IggGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface IggMerged {
  /** The items. */
  data: IggSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Immunoglobulin G; the type names the food. */
export interface IggSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: string
  /** Unit of the value. */
  unit: 'FSU'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Immunoglobulin G; the type names the food. */
export interface IggSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'FSU'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export type ImportJob = {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Where it comes from. */
  source: string
  /** The state it is in. */
  status: 'queued' | 'running' | 'completed' | 'failed'
  /** Above 1 when a run was cut short and began again. */
  attempts: number
  file_bytes: number
  progress: ImportProgress
  /** What went wrong; null when nothing did. */
  error: {
    /** Code of what went wrong. */
    error_type: string
    /** What went wrong, in words. */
    error_message: string
  } | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it began.
   * @format date-time
   */
  started_at: string | null
  /**
   * When it ended; null while it runs.
   * @format date-time
   */
  finished_at: string | null
}

export interface ImportJobList {
  jobs: ImportJob[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ImportPatientAddress {
  /** Name on the parcel or the door. */
  receiver_name: string
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line?: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** Country, two letters. */
  country: string
  /** How to get in. */
  access_notes?: string | null
  /** Telephone number; ten digits count as one of the United States. */
  phone_number?: string | null
  /** ZIP code, 12345 or 12345-6789. */
  zip: string
}

export interface ImportProgress {
  /** Size of the uncompressed file; 0 until known. */
  bytes_total: number
  bytes_read: number
  /** Elements read so far. */
  records: number
  types: RecordTypeReport[]
  /** Written after the file was read. */
  summaries: SummaryReport[]
  clocks: ClockReport
  /** Found after a whole file was read, unless a newer export was imported before. */
  missing: MissingReport[]
  /** @format date-time */
  exported_at: string | null
}

export interface InhalerUsageGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: InhalerUsageSample[]
}

export interface InhalerUsageGroups {
  /** By provider slug. */
  groups: Record<string, InhalerUsageGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface InhalerUsageMerged {
  /** The items. */
  data: InhalerUsageSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Puffs of an inhaler. */
export interface InhalerUsageSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Puffs of an inhaler. */
export interface InhalerUsageSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface InsulinInjectionGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: InsulinInjectionSample[]
}

export interface InsulinInjectionGroups {
  /** By provider slug. */
  groups: Record<string, InsulinInjectionGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface InsulinInjectionMerged {
  /** The items. */
  data: InsulinInjectionSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Insulin given. */
export interface InsulinInjectionSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: 'rapid_acting' | 'long_acting'
  /** Unit of the value. */
  unit: 'unit'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
  delivery_mode: 'basal' | 'bolus' | null
  delivery_form: 'standard' | 'extended' | null
  bolus_purpose: 'meal' | 'correction' | 'mixed' | 'unknown' | null
}

/** Insulin given. */
export interface InsulinInjectionSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'unit'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface Insurance {
  /** Number of the insured at the payor. */
  member_id: string
  /** Code of the payor, as the search answers it. */
  payor_code: string
  /** What the patient is to the policyholder. */
  relationship: 'Self' | 'Spouse' | 'Other'
  /** Who is covered. */
  insured: InsuredPerson
  /** The payor. */
  company: CompanyDetails
  /** Number of the group that is insured together. */
  group_id: string | null
  /** Who pays what the payor does not; needed unless the patient is the policyholder. */
  guarantor: GuarantorDetails | null
  /** Billed first: of several the newest. */
  is_primary: boolean
}

export interface InsuranceCreate {
  /** Code of the payor, as the search answers it. */
  payor_code: string
  /** Number of the insured at the payor. */
  member_id: string
  /** Number of the group that is insured together. */
  group_id?: string | null
  /** What the patient is to the policyholder. */
  relationship: 'Self' | 'Spouse' | 'Other'
  /** Who is covered. */
  insured: InsuredPersonInput
  /** Who pays what the payor does not; needed unless the patient is the policyholder. */
  guarantor?: GuarantorDetailsInput | null
  /** Billed first: of several the newest. */
  is_primary?: boolean
}

export interface InsuranceList {
  /** The items. */
  data: StoredInsurance[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface InsuredPerson {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** As laboratories ask for it. */
  gender: 'female' | 'male' | 'other' | 'unknown'
  /**
   * Birth date, YYYY-MM-DD.
   * @format date
   */
  dob: string
  /** E-mail address. */
  email: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string
  /** Postal address. */
  address: Address
}

export interface InsuredPersonInput {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** One of female, male, other, unknown, in any case. */
  gender: string
  /**
   * Birth date, YYYY-MM-DD.
   * @format date
   */
  dob: string
  /**
   * E-mail address.
   * @format email
   */
  email: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string
  /** Postal address. */
  address: AddressInput
}

export interface IntermenstrualBleeding {
  /**
   * The day or instant.
   * @format date
   */
  date: string
}

export interface Job {
  /** Id. */
  id: number
  kind: string
  /** State or territory, two letters in the United States. */
  state: 'waiting' | 'scheduled' | 'running' | 'failing' | 'given_up'
  /** How the team is called and shown. */
  team: TeamOfRow | null
  attempts: number
  max_attempts: number
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /** @format date-time */
  run_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  failure: JobFailure | null
}

/** Why the last attempt failed. */
export interface JobFailure {
  /** Class of the error. */
  name: string
  /** The link code. */
  code: string | null
  /** Only of errors of Salus. */
  message: string | null
  /** File and line. */
  at: string | null
}

export type JobKindList = {
  /** The items. */
  data: {
    kind: string
    /** That could run now. */
    waiting: number
    /** For later. */
    scheduled: number
    running: number
    /** Failed, and to be tried again. */
    failing: number
    /** Failed for good. */
    given_up: number
    /** Given up, and removed 30 days later, ever. */
    forgotten: number
    /** @format date-time */
    oldest_waiting_at: string | null
  }[]
}

export interface JobList {
  /** The items. */
  data: Job[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface JobRetry {
  /** Jobs that failed. */
  ids?: number[]
  /** All of this kind that were given up. */
  kind?: string
}

export interface KnownPatient {
  /** Where it comes from. */
  source: 'demographics' | 'fallback_birth_date' | 'order' | 'insurance' | 'lab_report'
  /** Given name. */
  first_name: string | null
  /** Family name. */
  last_name: string | null
  /**
   * Birth date, YYYY-MM-DD.
   * @format date
   */
  dob: string | null
  /** As the laboratory has it. */
  sex: 'male' | 'female' | null
}

export interface Lab {
  /** Id. */
  id: number
  /** Short name. */
  slug: string
  /** Name. */
  name: string
  first_line_address: string
  /** City. */
  city: string
  /** ZIP code. */
  zipcode: string
  /** How samples can be taken. */
  collection_methods: ('testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection')[]
  /** What kinds of samples. */
  sample_types: ('dried_blood_spot' | 'arm_collector' | 'serum' | 'saliva' | 'urine' | 'stool')[]
  /** Address of the logo. */
  logo_url: string | null
}

export interface LabAccount {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** The laboratory. */
  lab: string
  /**
   * Id of the organization.
   * @format uuid
   */
  org_id: string | null
  /** The state it is in. */
  status: 'active' | 'pending' | 'suspended' | 'ready_to_launch'
  delegated_flow: 'order_delegated' | 'result_delegated' | 'fully_delegated' | 'not_delegated'
  provider_account_id: string
  account_name: string | null
  default_clinical_notes: string | null
  business_units: string[] | null
  allowed_billing: Record<string, string[]>
  team_id_allowlist: string[]
}

export interface LabLocation {
  /** Further facts of the source, as texts by name. */
  metadata: LabLocationMetadata
  /** Miles: a text; a whole number for requests with the alias of the key header. */
  distance: string | number
  site_code: string
  supported_bill_types: (
    | 'client_bill'
    | 'commercial_insurance'
    | 'patient_bill_passthrough'
    | 'patient_bill'
  )[]
  location: LngLat
  capabilities: (
    | 'stat'
    | 'appointment_scheduling_via_service'
    | 'appointment_scheduling_with_lab'
    | 'appointment_scheduling_via_junction'
  )[]
}

export interface LabLocationMetadata {
  /** Name. */
  name: string
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** As `zip`. */
  zip_code: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string | null
  fax_number: string | null
  /** Openings of each day of the week, on the clock of the site. */
  hours: Record<string, unknown> | null
  website: string | null
}

export interface LabMessage {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Through which it came. */
  gateway: string
  /** State or territory, two letters in the United States. */
  state: 'waiting' | 'processed' | 'ignored' | 'held' | 'failed' | 'discarded'
  /** Media type of the picture. */
  content_type: string
  /**
   * `unreadable`: the gateway cannot read it; `refused`: what it says cannot be; `fault`: an error
   * of Salus.
   */
  problem_class: 'unreadable' | 'refused' | 'fault' | null
  /** A code, or the name of an error of Salus; null before the first. */
  problem: string | null
  /** What the problem means. */
  message: string | null
  failed_attempts: number
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string | null
  /** @format date-time */
  received_at: string
  /** @format date-time */
  processed_at: string | null
}

export type LabMessageDetail = {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Through which it came. */
  gateway: string
  /** State or territory, two letters in the United States. */
  state: 'waiting' | 'processed' | 'ignored' | 'held' | 'failed' | 'discarded'
  /** Media type of the picture. */
  content_type: string
  /**
   * `unreadable`: the gateway cannot read it; `refused`: what it says cannot be; `fault`: an error
   * of Salus.
   */
  problem_class: 'unreadable' | 'refused' | 'fault' | null
  /** A code, or the name of an error of Salus; null before the first. */
  problem: string | null
  /** What the problem means. */
  message: string | null
  failed_attempts: number
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string | null
  /** @format date-time */
  received_at: string
  /** @format date-time */
  processed_at: string | null
  size_bytes: number
  /** The kinds of what it says, in order; null for one that cannot be read. */
  updates: string[] | null
  /**
   * By what each of its updates names an order, whether or not there is one; null for one that
   * cannot be read.
   */
  names:
    | {
        /** Slug of the laboratory. */
        lab: string
        /** Id of the order. */
        order_id: string | null
        /** Number of the sample or kit. */
        sample_id: string | null
      }[]
    | null
}

export interface LabMessageList {
  /** The items. */
  data: LabMessage[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface LabReportCorrection {
  /** Of the result in what was read, from 0; added ones come after. Null for a fact of the head. */
  position: number | null
  /** As in `data`; `result` for a result that was added or removed as a whole. */
  field: string
  old_value: unknown
  new_value: unknown
  /**
   * Management key of the reviewer.
   * @format uuid
   */
  reviewer_id: string
  /** @format date-time */
  corrected_at: string
}

export type LabReportCorrections = {
  /** Further facts of the source, as texts by name. */
  metadata?: ResultMetadataChanges
  /** Null changes take a result away that is none. */
  results?: {
    /** In `reading.results`, from 0. */
    position: number
    changes: LabReportResultChanges | null
  }[]
  /** What the machine did not see. Fields that are left out follow from the others. */
  added_results?: AddedLabReportResult[]
  /**
   * The report is this person's. Required where it does not fit the person for sure, as corrected.
   */
  patient_confirmed?: boolean
  /** For whoever reads the decision. */
  note?: string | null
}

export interface LabReportEvidence {
  /**
   * Id of the import.
   * @format uuid
   */
  job_id: string
  /** ISO 639-1. */
  language: string
  pages: EvidencePage[]
  fields: FieldEvidence[]
  /** Where results stand that were not read; empty for most reports. */
  unread: UnreadRegion[]
}

export interface LabReportRejection {
  /** For whoever reads the decision. */
  note?: string | null
}

export interface LabReportResult {
  /** Name of the analyte, as printed. */
  test_name: string
  /** As printed. */
  value: string
  /** What kind of sample it is. */
  sample_type:
    | 'urine'
    | 'serum_plasma_blood'
    | 'capillary_blood'
    | 'stool'
    | 'saliva'
    | 'other'
    | 'unknown'
  /** Whether it was measured, or computed of others. */
  measurement_kind: 'direct' | 'calculated' | 'ratio' | 'unknown'
  /** Shape of the value. */
  type: 'numeric' | 'range' | 'comment' | 'boolean' | 'duration' | 'percentage' | 'ratio' | null
  /** As printed. */
  units: string | null
  /** Upper bound of the printed interval. */
  max_reference_range: number | null
  /** Lower bound of the printed interval. */
  min_reference_range: number | null
  /** Panel heading on the report. */
  source_panel_name: string | null
  /** Of an assay that is called so, or of a germ to an antibiotic. */
  sensitivity: 'sensitive' | 'insensitive' | 'unknown'
  /** The best first, at most five. */
  loinc_matches: LoincMatch[] | null
  /**
   * `auto_match`: the first candidate is sure; `needs_review`: there are candidates; `no_match`:
   * none.
   */
  loinc_match_status: 'auto_match' | 'needs_review' | 'no_match' | null
  /** What the results say, taken as a whole. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  /** Null when not decidable. */
  is_above_max_range: boolean | null
  /** Null when not decidable. */
  is_below_min_range: boolean | null
}

export interface LabReportResultChanges {
  /** Name of the analyte, as printed. */
  test_name?: string
  /** As printed. */
  value?: string
  /** What kind of sample it is. */
  sample_type?:
    | 'urine'
    | 'serum_plasma_blood'
    | 'capillary_blood'
    | 'stool'
    | 'saliva'
    | 'other'
    | 'unknown'
  /** Whether it was measured, or computed of others. */
  measurement_kind?: 'direct' | 'calculated' | 'ratio' | 'unknown'
  /** Shape of the value. */
  type?: 'numeric' | 'range' | 'comment' | 'boolean' | 'duration' | 'percentage' | 'ratio' | null
  /** As printed. */
  units?: string | null
  /** Upper bound of the printed interval. */
  max_reference_range?: number | null
  /** Lower bound of the printed interval. */
  min_reference_range?: number | null
  /** Panel heading on the report. */
  source_panel_name?: string | null
  /** Of an assay that is called so, or of a germ to an antibiotic. */
  sensitivity?: 'sensitive' | 'insensitive' | 'unknown'
  /** The best first, at most five. */
  loinc_matches?: LoincMatchInput[] | null
  /**
   * `auto_match`: the first candidate is sure; `needs_review`: there are candidates; `no_match`:
   * none.
   */
  loinc_match_status?: 'auto_match' | 'needs_review' | 'no_match' | null
  /** What the results say, taken as a whole. */
  interpretation?: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  /** Null when not decidable. */
  is_above_max_range?: boolean | null
  /** Null when not decidable. */
  is_below_min_range?: boolean | null
}

/** A report that was or is to be reviewed, with what the machine read. */
export type LabReportReview = {
  job: ParsingJob
  patient_comparison: PatientComparison | null
  reading: ParsedLabReportData | null
  evidence: LabReportEvidence | null
  /** Empty when the files are not kept any more. */
  files: {
    /** From 1, in the order of the upload. */
    number: number
    /** Media type of the picture. */
    content_type: string
    bytes: number
  }[]
  corrections: LabReportCorrection[]
  decision: 'approved' | 'rejected' | null
  /** For whoever reads the decision. */
  note: string | null
  /** The reviewer confirmed that the report is this person's. */
  patient_confirmed: boolean | null
  /** @format uuid */
  reviewer_id: string | null
  /** @format date-time */
  decided_at: string | null
}

export interface LabReportReviewList {
  /** The items. */
  data: ParsingJobSummary[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface LabResultsMetadata {
  /** Years; empty when the birth date is not known. */
  age: string
  /** YYYY-MM-DD; empty when not known. */
  dob: string
  /** CLIA number of the laboratory. */
  'clia_#': string | null
  /** As `clia_#`. */
  clia_number: string | null
  patient: string
  /** Ordering physician. */
  provider: string | null
  laboratory: string | null
  /**
   * When the laboratory reported.
   * @format date-time
   * @deprecated
   */
  date_reported: string
  /**
   * When the sample was taken.
   * @format date-time
   * @deprecated
   */
  date_collected: string | null
  /**
   * When the laboratory got the sample.
   * @format date-time
   * @deprecated
   */
  date_received: string | null
  /** The number of the sample at the laboratory. */
  specimen_number: string
  /** The state it is in. */
  status: 'final' | 'partial'
  /** The worst of all results. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  patient_id: string | null
  account_id: string | null
}

export interface LabResultsRaw {
  /** Further facts of the source, as texts by name. */
  metadata: LabResultsMetadata
  /** Results, one for each analyte. */
  results: BiomarkerResult[]
  /** What was ordered and has no result, and why. */
  missing_results: MissingBiomarkerResult[]
  sample_information: Record<string, SampleData>
  order_transaction: OrderTransaction
}

export interface LabTest {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Short name. */
  slug: string
  /** Name. */
  name: string
  /** What kind of sample it is. */
  sample_type: 'dried_blood_spot' | 'arm_collector' | 'serum' | 'saliva' | 'urine' | 'stool'
  /** How the sample is taken. */
  method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  /** US dollars. */
  price: number
  /**
   * As `status` is active.
   * @deprecated
   */
  is_active: boolean
  /** The state it is in. */
  status: 'active' | 'pending_approval' | 'inactive'
  /** The patient must not have eaten. */
  fasting: boolean
  /** The laboratory. */
  lab: Lab | null
  markers: Marker[] | null
  /**
   * Always false.
   * @deprecated
   */
  is_delegated: boolean
  auto_generated: boolean
  has_collection_instructions: boolean | null
  common_tat_days: number | null
  worst_case_tat_days: number | null
  /** What it is, in words. */
  description: string | null
}

export interface LabTestCreate {
  /** Ids of markers. */
  marker_ids?: number[] | null
  /** Preferred: equal in all environments. */
  provider_ids?: string[] | null
  /** Name. */
  name: string
  /** How the sample is taken. */
  method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  /** What it is, in words. */
  description: string
  /** The patient must not have eaten. */
  fasting?: boolean | null
  /**
   * Id of the lab account; null lets Salus choose.
   * @format uuid
   */
  lab_account_id?: string | null
  /** The lab, where several know the codes. */
  lab_slug?: string | null
}

export type LabTestPricing = {
  currency: 'USD'
  /** The items. */
  data: Record<
    string,
    {
      pricing: SpecifiedPricing | UnspecifiedPricing
      marker_breakdown: Record<string, SpecifiedPricing | UnspecifiedPricing> | null
    }
  >
}

export interface LabTestUpdate {
  /** Name. */
  name?: string | null
  /** False archives the test, true restores it. */
  active?: boolean | null
}

export interface LastAttempt {
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /** The state it is in. */
  status: 'success' | 'failure'
}

export interface LeanBodyMassGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: LeanBodyMassSample[]
}

export interface LeanBodyMassGroups {
  /** By provider slug. */
  groups: Record<string, LeanBodyMassGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface LeanBodyMassMerged {
  /** The items. */
  data: LeanBodyMassSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Body mass without fat. */
export interface LeanBodyMassSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'kg'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Body mass without fat. */
export interface LeanBodyMassSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'kg'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface LegalHold {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  reason: string
  /** @format date-time */
  placed_at: string
  /** @format uuid */
  placed_by: string | null
  /** @format date-time */
  released_at: string | null
  /** @format uuid */
  released_by: string | null
}

export interface LegalHoldCreate {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** For the record; exports do not show it. */
  reason: string
}

export interface LegalHoldList {
  /** The items. */
  data: LegalHold[]
}

export interface LinkCode {
  /** The link code. */
  code: string
  /** Opens the companion app with the code. */
  exchange_url: string
  /**
   * Until when it is good.
   * @format date-time
   */
  expires_at: string
}

export type LinkCodeExchange = {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** For the client of the app: base64 of JSON. */
  sign_in_token: string
  /** How the team is called and shown. */
  team: {
    /** Name. */
    name: string
    /** Address of the logo. */
    logo_url: string | null
  }
}

export type LinkConfig = {
  /** How the team is called and shown. */
  team: {
    /** Name. */
    name: string
    /** Address of the logo. */
    logo_url: string | null
    /** Color of the company. */
    brand_color: string | null
  }
  providers: SourceLink[]
  /** Where the person is sent in the end. */
  redirect_url: string | null
  /** The only one that may be connected. */
  provider: string | null
  /** What the page does when a sign-in fails; null shows it. */
  on_error: string | null
  /** What the page does when the person closes it; null only closes. */
  on_close: string | null
  environment: string
  /** Region of the team. */
  region: string
}

export interface LinkToken {
  /** For one connection of one person, within an hour. */
  link_token: string
  /** Page on which the person connects. */
  link_web_url: string
}

export interface LinkTokenCreate {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Slug of the provider. */
  provider?:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | null
  /** Absolute; of any scheme that an app may have. */
  redirect_url?: string | null
  /** What the page offers; null is all. */
  filter_on_providers?:
    | (
        | 'oura'
        | 'fitbit'
        | 'garmin'
        | 'whoop'
        | 'strava'
        | 'renpho'
        | 'peloton'
        | 'wahoo'
        | 'zwift'
        | 'freestyle_libre'
        | 'abbott_libreview'
        | 'tandem_source'
        | 'freestyle_libre_ble'
        | 'eight_sleep'
        | 'withings'
        | 'apple_health_kit'
        | 'manual'
        | 'ihealth'
        | 'google_fit'
        | 'beurer_api'
        | 'beurer_ble'
        | 'omron'
        | 'omron_ble'
        | 'onetouch_ble'
        | 'accuchek_ble'
        | 'contour_ble'
        | 'dexcom'
        | 'dexcom_v3'
        | 'hammerhead'
        | 'my_fitness_pal'
        | 'health_connect'
        | 'samsung_health'
        | 'polar'
        | 'cronometer'
        | 'kardia'
        | 'whoop_v2'
        | 'ultrahuman'
        | 'my_fitness_pal_v2'
        | 'map_my_fitness'
        | 'runkeeper'
        | 'google_health'
      )[]
    | null
  /** What the page does when a sign-in fails; null shows it. */
  on_error?: 'redirect' | null
  /** What the page does when the person closes it; null only closes. */
  on_close?: 'redirect' | null
}

export type ListedConsoleSession = {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** The secret, beginning with whsec_; null makes a new one. */
  key: {
    /**
     * Id.
     * @format uuid
     */
    id: string
    /** What the key is for. */
    label: string
    /** What the key may do. */
    role: 'org_admin' | 'team_admin'
  }
  signed_in_with: 'management_key' | 'code' | 'openid_connect'
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /** @format date-time */
  last_used_at: string
  /**
   * Until when it is good.
   * @format date-time
   */
  expires_at: string
  /** Whether it is the one that asks. */
  is_current: boolean
}

export interface LngLat {
  lng: number
  lat: number
}

export interface Loinc {
  /** Id. */
  id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** The link code. */
  code: string
  /** Unit of the value. */
  unit: string | null
}

export interface LoincMatch {
  /** Code of LOINC. */
  loinc_code: string
  /** Long common name of the code. */
  loinc_name: string
  /** What people call it. */
  display_name: string
  /** Other names of it. */
  aliases: string[]
  /** Rates the candidate, not how well the report could be read. */
  confidence_score: number
}

export interface LoincMatchInput {
  /** Code of LOINC. */
  loinc_code: string
  /** Long common name of the code. */
  loinc_name: string
  /** What people call it. */
  display_name?: string
  /** Other names of it. */
  aliases?: string[]
  /** Rates the candidate, not how well the report could be read. */
  confidence_score: number
}

export interface Macros {
  /** g */
  carbs: number | null
  /** g */
  protein: number | null
  /** g */
  alcohol: number | null
  /** g */
  water: number | null
  /** g */
  fibre: number | null
  /** g */
  sugar: number | null
  /** g */
  cholesterol: number | null
  fats: Fats
}

export type ManagementKey = {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** What the key is for. */
  label: string
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  creator: {
    /** What kind it is. */
    type: string
  }
  /** What the key may do. */
  role: 'org_admin' | 'team_admin'
  /** Teams that the key may use; null is all. */
  team_role_bindings:
    | {
        /**
         * Id of the team.
         * @format uuid
         */
        team_id: string
      }[]
    | null
}

export interface ManualConnection {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** The laboratory's own code. */
  provider_id?: string | null
  /** Permissions that the person granted on the device. */
  granted_permissions?: string[] | null
}

export interface Marker {
  /** Id. */
  id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** The name, where there is no other. */
  description: string
  /** Number of the laboratory. */
  lab_id: number | null
  /** The laboratory's orderable code. */
  provider_id: string | null
  /** What kind it is. */
  type: 'biomarker' | 'panel' | null
  /** Unit of the value. */
  unit: string | null
  /** Decimal text, US dollars, or `N/A`. */
  price: string | null
  aoe: AoE | null
  a_la_carte_enabled: boolean
  common_tat_days: number | null
  worst_case_tat_days: number | null
  is_orderable: boolean | null
}

export interface MarkerComplete {
  /** Id. */
  id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** The name, where there is no other. */
  description: string
  /** Number of the laboratory. */
  lab_id: number | null
  /** The laboratory's orderable code. */
  provider_id: string | null
  /** What kind it is. */
  type: 'biomarker' | 'panel' | null
  /** Unit of the value. */
  unit: string | null
  /** Decimal text, US dollars, or `N/A`. */
  price: string | null
  aoe: AoE | null
  a_la_carte_enabled: boolean
  common_tat_days: number | null
  worst_case_tat_days: number | null
  is_orderable: boolean | null
  expected_results: ExpectedResult[]
}

export interface MarkerPage {
  markers: MarkerComplete[]
  /** How many there are on all pages. */
  total: number
  /** Number of the page, from 1. */
  page: number
  /** How many a page holds at most. */
  size: number
  /** Number of pages. */
  pages: number
  pricing: MarkerPricing | null
}

export interface MarkerPricing {
  currency: 'USD'
  /** The items. */
  data: Record<string, SpecifiedPricing | UnspecifiedPricing>
}

export type MatchReviewCandidate = {
  /** `provenance_order` is the order of the sample, others could be meant. */
  candidate_type: 'provenance_order' | 'order_option'
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string | null
  /**
   * Id of the order transaction.
   * @format uuid
   */
  order_transaction_id: string | null
  last_status:
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
    | null
  confidence_level: 'high' | 'medium' | 'low'
  confidence_score: number | null
  reasons: (
    | 'sample_id_match'
    | 'lab_account_mismatch'
    | 'matched_completed_order'
    | 'matched_cancelled_order'
    | 'invalid_collection_state'
    | 'demographic_mismatch'
    | 'demographic_match'
    | 'possible_wrong_lab'
    | 'same_lab'
    | 'same_user'
    | 'marker_overlap_exact'
    | 'marker_overlap_partial'
    | 'marker_overlap_none'
  )[]
  marker_overlap: {
    /** Results of the report. */
    reported: number
    /** Results that the order asks for. */
    ordered: number
    /** Results of the report that the order asks for. */
    shared: number
  } | null
  status_context: {
    /** @format date-time */
    last_status_at: string
    /** Otherwise accepting makes another order for the result. */
    can_receive_results: boolean
  } | null
}

export interface MatchReviewCandidateGroup {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string | null
  candidates: MatchReviewCandidate[]
}

export interface MatchReviewLab {
  /** Id. */
  id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
}

export interface MatchReviewMarker {
  /** The laboratory's own code. */
  provider_id: string | null
  /** Name. */
  name: string | null
}

export interface MatchReviewPatient {
  /** Given name. */
  first_name: string | null
  /** Family name. */
  last_name: string | null
  /**
   * Birth date, YYYY-MM-DD.
   * @format date-time
   */
  dob: string | null
  /** As laboratories ask for it. */
  gender: string | null
}

export interface McpAnswer {
  /** Version of JSON-RPC. */
  jsonrpc: '2.0'
  /** Of the message. */
  id?: string | number
  /** What the method answers. */
  result?: Record<string, unknown>
  /** Why it has no answer. */
  error?: Record<string, unknown>
}

export interface McpMessage {
  /** Version of JSON-RPC. */
  jsonrpc: '2.0'
  /** Of the message. */
  id?: string | number
  /** What is asked. */
  method?: string
  /** As the method wants them. */
  params?: Record<string, unknown>
}

export interface Meal {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Without meaning, 0.
   * @deprecated
   */
  priority_id: number
  /**
   * Without meaning, 0.
   * @deprecated
   */
  source_id: number
  /**
   * Equals id.
   * @deprecated
   */
  provider_id: string
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Date as the person recorded it.
   * @format date
   */
  calendar_date: string
  /** Such as breakfast; empty when unknown. */
  name: string
  energy: MealEnergy | null
  macros: Macros | null
  micros: Micros | null
  /** Foods by name. */
  data: Record<string, Food>
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
  /** Id of the app that made it. */
  source_app_id: string | null
  /**
   * Id of the device.
   * @format uuid
   */
  source_device_id: string | null
}

export interface MealEnergy {
  /** Unit of the value. */
  unit: 'kcal'
  /** In the unit beside it. */
  value: number
}

export interface MealUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: MealUploadItem[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface MealUploadItem {
  /** The meal as HealthKit has it. */
  healthkit?: HealthKitMealUpload
  /** The meal as Health Connect has it. */
  health_connect?: HealthConnectMealUpload
}

export interface MenstrualCycle {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * First day of the bleeding.
   * @format date
   */
  period_start: string
  /**
   * Last day of the bleeding.
   * @format date
   */
  period_end: string | null
  /**
   * Last day of the cycle.
   * @format date
   */
  cycle_end: string | null
  /** Expected, not recorded. */
  is_predicted: boolean
  /** Entries of single days. */
  menstrual_flow: MenstrualFlow[]
  /** Entries of single days. */
  cervical_mucus: CervicalMucus[]
  /** Entries of single days. */
  intermenstrual_bleeding: IntermenstrualBleeding[]
  /** Entries of single days. */
  contraceptive: Contraceptive[]
  /** Entries of single days. */
  detected_deviations: DetectedDeviation[]
  /** Entries of single days. */
  ovulation_test: OvulationTest[]
  /** Entries of single days. */
  home_pregnancy_test: HomePregnancyTest[]
  /** Entries of single days. */
  home_progesterone_test: HomeProgesteroneTest[]
  /** Entries of single days. */
  sexual_activity: SexualActivity[]
  /** Entries of single days. */
  basal_body_temperature: CycleBasalBodyTemperature[]
  /** Provider slug. */
  source_provider: string
  /** What kind of thing made it. */
  source_type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
  /** Id of the app that made it. */
  source_app_id: string | null
  /**
   * Id of the device.
   * @format uuid
   */
  source_device_id: string | null
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
}

export interface MenstrualCycleUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: MenstrualCycleUploadItem[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export type MenstrualCycleUploadCycle = {
  /**
   * First day of the bleeding.
   * @format date
   */
  period_start: string
  /**
   * Last day of the bleeding.
   * @format date
   */
  period_end?: string | null
  /**
   * Last day of the cycle.
   * @format date
   */
  cycle_end?: string | null
  /** Expected, not recorded. */
  is_predicted?: boolean | null
  /** Entries of single days. */
  menstrual_flow?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  cervical_mucus?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  intermenstrual_bleeding?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  contraceptive?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  detected_deviations?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  ovulation_test?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  home_pregnancy_test?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  home_progesterone_test?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  sexual_activity?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
  /** Entries of single days. */
  basal_body_temperature?: {
    /**
     * The day or instant.
     * @format date
     */
    date: string
  }[]
}

export interface MenstrualCycleUploadItem {
  /** Id of the app that made it. */
  source_bundle?: string | null
  /** The cycle. */
  cycle: MenstrualCycleUploadCycle
}

export interface MenstrualFlow {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** How strong the bleeding is. */
  flow: 'unspecified' | 'none' | 'light' | 'medium' | 'heavy'
}

export interface MergedActivity {
  activity: MergedActivityDay[]
}

export interface MergedActivityDay {
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Steps. */
  steps: number | null
  /** Meters. */
  distance: number | null
  /** kcal. */
  calories_active: number | null
  /** kcal, those at rest included. */
  calories_total: number | null
  /** Floors climbed. */
  floors_climbed: number | null
  /** Pushes of a wheelchair. */
  wheelchair_push: number | null
  /** The list that is looked into. */
  from: MergedActivityOrigins
  sources: MergedActivitySource[]
}

export interface MergedActivityOrigins {
  /**
   * samples: merged from the samples of all sources. summary: no source has samples of the day;
   * from the summary of the source that counts first.
   */
  steps: 'samples' | 'summary' | null
  /**
   * samples: merged from the samples of all sources. summary: no source has samples of the day;
   * from the summary of the source that counts first.
   */
  distance: 'samples' | 'summary' | null
  /**
   * samples: merged from the samples of all sources. summary: no source has samples of the day;
   * from the summary of the source that counts first.
   */
  calories_active: 'samples' | 'summary' | null
  /**
   * samples: merged from the samples of all sources. summary: no source has samples of the day;
   * from the summary of the source that counts first.
   */
  calories_total: 'samples' | 'summary' | null
  /**
   * samples: merged from the samples of all sources. summary: no source has samples of the day;
   * from the summary of the source that counts first.
   */
  floors_climbed: 'samples' | 'summary' | null
  /**
   * samples: merged from the samples of all sources. summary: no source has samples of the day;
   * from the summary of the source that counts first.
   */
  wheelchair_push: 'samples' | 'summary' | null
}

export interface MergedActivitySource {
  /** Slug of the provider. */
  provider: string
  /** What kind it is. */
  type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
  /** Id of the app that made it. */
  app_id: string | null
  /** Fields that it gave something to. */
  fields: (
    | 'steps'
    | 'distance'
    | 'calories_active'
    | 'calories_total'
    | 'floors_climbed'
    | 'wheelchair_push'
  )[]
}

export interface MergedSlotSource {
  /** Slug of the provider. */
  provider: string
  /** What kind it is. */
  type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
  /** Id of the app that made it. */
  app_id: string | null
  /** Its share of a sum; of readings their mean. */
  value: number
  /** Samples that take part. */
  count: number
}

export interface MergedSource {
  /** Slug of the provider. */
  provider: string
  /** What kind it is. */
  type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
  /** Id of the app that made it. */
  app_id: string | null
}

export interface MfaCode {
  /** The code that the provider sent. */
  mfa_code: string
}

export interface Micros {
  /** mg: sodium, potassium, calcium, phosphorus, magnesium, iron, zinc, fluoride, chloride. */
  minerals: Record<string, number> | null
  /** µg: chromium, iodine, molybdenum, selenium; mg: copper, manganese. */
  trace_elements: Record<string, number> | null
  /**
   * µg: vitamin_a, vitamin_b12, vitamin_d, vitamin_k, biotin, folic_acid; mg: vitamin_b1,
   * riboflavin, niacin, pantothenic_acid, vitamin_b6, vitamin_c, vitamin_e.
   */
  vitamins: Record<string, number> | null
}

export interface MindfulnessMinutesGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: MindfulnessMinutesSample[]
}

export interface MindfulnessMinutesGroups {
  /** By provider slug. */
  groups: Record<string, MindfulnessMinutesGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface MindfulnessMinutesMerged {
  /** The items. */
  data: MindfulnessMinutesSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Time spent in mindfulness. */
export interface MindfulnessMinutesSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'min'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Time spent in mindfulness. */
export interface MindfulnessMinutesSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'min'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface MissingBiomarkerResult {
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  inferred_failure_type:
    | 'quantity_not_sufficient_failure'
    | 'collection_process_failure'
    | 'drop_off_failure'
    | 'internal_lab_failure'
    | 'order_entry_failure'
    | 'non_failure'
    | 'unknown_failure'
    | 'patient_condition_failure'
    | 'missing_result_calc_failure'
    | 'missing_demo_aoe_calc_failure'
    | 'insufficient_volume'
  /** For whoever reads the decision. */
  note: string | null
  /** LOINC code. */
  loinc: string | null
  /** Short name of the LOINC code. */
  loinc_slug: string | null
  /** The laboratory's own code. */
  provider_id: string | null
  /** Ordered markers that produce this result; null when nobody asked for it. */
  source_markers: ParentBiomarkerData[] | null
}

export interface MissingEventReason {
  /** The link code. */
  code:
    | 'no_webhook'
    | 'webhook_disabled'
    | 'webhook_not_subscribed'
    | 'event_type_prefixes'
    | 'not_about_person'
    | 'no_connection'
    | 'connection_error'
    | 'connection_paused'
    | 'resource_not_offered'
    | 'nothing_came'
    | 'last_attempt_failed'
    | 'outside_bounds'
    | 'quarantined'
    | 'unchanged'
    | 'never_changed'
    | 'history_silent'
    | 'history_running'
    | 'history_failed'
    | 'no_history'
    | 'history_done'
    | 'already_connected'
    | 'no_connection_error'
    | 'no_device'
    | 'device_known'
    | 'no_row_changed'
    | 'no_order'
    | 'order_scheduled'
    | 'order_waits_in_sandbox'
    | 'order_unchanged'
    | 'partial_results_silent'
    | 'order_handed_over'
    | 'no_critical_result'
    | 'no_appointment'
    | 'appointment_unchanged'
    | 'reminder_due_later'
    | 'no_report'
    | 'report_being_read'
    | 'report_unchanged'
  /** The code in plain words. */
  explanation: string
  /**
   * Id of the webhook.
   * @format uuid
   */
  webhook_id: string | null
  /** Slug of the provider that it is about. */
  provider: string | null
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string | null
  /**
   * Since when, or when last.
   * @format date-time
   */
  at: string | null
}

export interface MissingReport {
  /** Series or summary resource. */
  resource: string
  /** Stored by imports before this one, but deleted on the phone since. */
  missing: number
  /** How many of them were removed: all, or none. */
  removed: number
}

export interface NoteGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: NoteSample[]
}

export interface NoteGroups {
  /** By provider slug. */
  groups: Record<string, NoteGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** A note of the person. */
export interface NoteSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'text'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: string
  tags: ('food' | 'exercise' | 'insulin_injection' | 'unspecified')[] | null
}

export interface NutritionRecordUpload {
  /**
   * Amount of it in the meal, in the unit of Health Connect: g, mg or µg.
   * @format instant
   */
  start_time: string
  /**
   * Amount of it in the meal, in the unit of Health Connect: g, mg or µg.
   * @format instant
   */
  end_time: string
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  start_zone_offset?: string | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  end_zone_offset?: string | null
  /** What it is called. */
  name?: string | null
  /** 0 unknown, 1 breakfast, 2 lunch, 3 dinner, 4 snack. */
  meal_type?: number
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. Unit: kcal. */
  energy?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  protein?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  sugar?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  dietary_fiber?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  total_carbohydrate?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  total_fat?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  saturated_fat?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  monounsaturated_fat?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  polyunsaturated_fat?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  calcium?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  chloride?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  cholesterol?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  copper?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  iron?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  magnesium?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  manganese?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  niacin?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  pantothenic_acid?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  phosphorus?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  potassium?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  riboflavin?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  sodium?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  thiamin?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  vitamin_b6?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  vitamin_c?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  vitamin_e?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  zinc?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  biotin?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  chromium?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  folic_acid?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  folate?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  iodine?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  molybdenum?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  selenium?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  vitamin_a?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  vitamin_b12?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  vitamin_d?: number | null
  /** Amount of it in the meal, in the unit of Health Connect: g, mg or µg. */
  vitamin_k?: number | null
}

export interface OAuthSource {
  /** Id. */
  id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** What it is, in words. */
  description: string
  /** Address of a mark. */
  logo: string
  group: string | null
  /** The address to send the person to. */
  oauth_url: string | null
  /** Way of signing in; null where there is none. */
  auth_type: string | null
  /** What kind of thing made it. */
  source_type: string | null
  is_active: boolean
  backfill_num_days: number | null
}

export type OperationStatus = {
  versions: {
    salus: string
    node: string
    postgres: string
    clickhouse: string
    /** Number and name of the newest migration. */
    schema: string
  }
  process: {
    /**
     * When it began.
     * @format date-time
     */
    started_at: string
    roles: string[]
    memory_bytes: number
    /** How often all requests waited 100 ms or longer, since the start. */
    stalls: number
    /** Databases that run inside this installation. */
    embedded: ('postgres' | 'clickhouse')[]
    /**
     * What the system keeps the processes from that read uploaded reports, even when a file has
     * taken one over: reading other `files`, `writing`, the `network`, `local_sockets`, starting
     * `programs`, and signals to the `server` and looks into it. Each was tried once.
     */
    lab_report_reader: {
      protections: ('files' | 'writing' | 'network' | 'local_sockets' | 'programs' | 'server')[]
      /** Those that the system of this process does not have. */
      missing: ('files' | 'writing' | 'network' | 'local_sockets' | 'programs' | 'server')[]
    }
  }
  /** Of all processes; each has one for jobs, imports and lab reports. */
  workers: {
    /**
     * When it began.
     * @format date-time
     */
    started_at: string
    /** Jobs that it works on. */
    running: number
  }[]
  postgres: StoreSize
  clickhouse: StoreSize
  files: FileUsage | null
  /** Of the last hour, oldest first; minutes without any are left out. */
  requests: RequestMinute[]
}

export interface Order {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /** The patient. */
  patient_details: OrderPatientDetails | null
  /** Where the patient lives. */
  patient_address: OrderPatientAddress | null
  lab_test: LabTest
  /** Whatever the team wants to remember of the app. */
  details: OrderDetails
  /** Number of the sample or kit. */
  sample_id: string | null
  /** For whoever reads the order. */
  notes: string | null
  /** For the laboratory. */
  clinical_notes: string | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  events: OrderEvent[]
  /**
   * The group of the last event.
   * @deprecated
   */
  status:
    | 'received'
    | 'collecting_sample'
    | 'sample_with_lab'
    | 'completed'
    | 'cancelled'
    | 'failed'
  last_event: OrderEvent
  /** Who orders; null when the lab account or the network has one. */
  physician: Physician | null
  /** @format uuid */
  health_insurance_id: string | null
  /** @deprecated */
  requisition_form_url: string | null
  /** The larger number counts first. */
  priority: boolean
  /** Where the kit is sent. */
  shipping_details: OrderShippingDetails | null
  /**
   * Day on which the order is handed over; null is at once.
   * @format date
   */
  activate_by: string | null
  /** The team's own words, which come back with the order. */
  passthrough: string | null
  /** Who pays. */
  billing_type: 'client_bill' | 'commercial_insurance' | 'patient_bill_passthrough' | 'patient_bill'
  /** ICD-10 codes of why it is ordered. */
  icd_codes: string[] | null
  has_abn: boolean
  /** What the results say, taken as a whole. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  /** Whether a result is missing. */
  has_missing_results: boolean | null
  /** @format date */
  expected_result_by_date: string | null
  /** @format date */
  worst_case_result_by_date: string | null
  origin: 'initial' | 'redraw' | 'recreation'
  order_transaction: OrderTransaction
}

export interface OrderCreate {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Id of the lab test.
   * @format uuid
   */
  lab_test_id?: string | null
  /** What is ordered: lab tests, and further markers. */
  order_set?: OrderSetRequest | null
  /** How the sample is taken. */
  collection_method?:
    | 'testkit'
    | 'walk_in_test'
    | 'at_home_phlebotomy'
    | 'on_site_collection'
    | null
  /** Who orders; null when the lab account or the network has one. */
  physician?: PhysicianCreateRequest | null
  /** Insurance that comes with the order; stored insurance is better. */
  health_insurance?: HealthInsuranceCreateRequest | null
  /** The larger number counts first. */
  priority?: boolean
  /** Who pays. */
  billing_type?:
    | 'client_bill'
    | 'commercial_insurance'
    | 'patient_bill_passthrough'
    | 'patient_bill'
  /** ICD-10 codes of why it is ordered. */
  icd_codes?: string[] | null
  /** What the patient agreed to. */
  consents?: Consent[]
  /**
   * Day on which the order is handed over; null is at once.
   * @format date
   */
  activate_by?: string | null
  /** Answers to the laboratory's questions. */
  aoe_answers?: AoEAnswer[] | null
  /** The team's own words, which come back with the order. */
  passthrough?: string | null
  /** For the laboratory. */
  clinical_notes?: string | null
  /** For whoever reads the order. */
  notes?: string | null
  /**
   * Id of the lab account; null lets Salus choose.
   * @format uuid
   */
  lab_account_id?: string | null
  /**
   * Who of the team ordered.
   * @format uuid
   */
  creator_member_id?: string | null
  /** The patient. */
  patient_details: PatientDetailsInput
  /** Where the patient lives. */
  patient_address: PatientAddressInput
}

export interface OrderCreateOrReplace {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string
  /**
   * Id of the lab test.
   * @format uuid
   */
  lab_test_id?: string | null
  /** What is ordered: lab tests, and further markers. */
  order_set?: OrderSetRequest | null
  /** How the sample is taken. */
  collection_method?:
    | 'testkit'
    | 'walk_in_test'
    | 'at_home_phlebotomy'
    | 'on_site_collection'
    | null
  /** Who orders; null when the lab account or the network has one. */
  physician?: PhysicianCreateRequest | null
  /** Insurance that comes with the order; stored insurance is better. */
  health_insurance?: HealthInsuranceCreateRequest | null
  /** The larger number counts first. */
  priority?: boolean
  /** Who pays. */
  billing_type?:
    | 'client_bill'
    | 'commercial_insurance'
    | 'patient_bill_passthrough'
    | 'patient_bill'
  /** ICD-10 codes of why it is ordered. */
  icd_codes?: string[] | null
  /** What the patient agreed to. */
  consents?: Consent[]
  /**
   * Day on which the order is handed over; null is at once.
   * @format date
   */
  activate_by?: string | null
  /** Answers to the laboratory's questions. */
  aoe_answers?: AoEAnswer[] | null
  /** The team's own words, which come back with the order. */
  passthrough?: string | null
  /** For the laboratory. */
  clinical_notes?: string | null
  /** For whoever reads the order. */
  notes?: string | null
  /**
   * Id of the lab account; null lets Salus choose.
   * @format uuid
   */
  lab_account_id?: string | null
  /**
   * Who of the team ordered.
   * @format uuid
   */
  creator_member_id?: string | null
  /** The patient. */
  patient_details?: PatientDetailsInput
  /** Where the patient lives. */
  patient_address?: PatientAddressInput
  /**
   * The order that this one replaces.
   * @format uuid
   */
  recreate_from_order_id?: string | null
  /** Why the order is replaced. */
  update_reason?:
    | 'INCORRECT_LAB'
    | 'INCORRECT_TEST'
    | 'INCORRECT_PATIENT_DETAILS'
    | 'SAMPLE_LOST'
    | 'OTHER'
    | null
}

export type OrderDemands = {
  /** The laboratory. */
  lab: {
    /** Id. */
    id: number
    /** Short name. */
    slug: string
    /** Name. */
    name: string
    /** How samples can be taken. */
    collection_methods: ('testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection')[]
  }
  markers: {
    /** Id. */
    id: number
    /** Name. */
    name: string
  }[]
  /** How the sample is taken. */
  collection_method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection' | null
  lab_account: {
    /**
     * Id.
     * @format uuid
     */
    id: string
    account_name: string | null
    /** The own physicians of the team order. */
    is_delegated: boolean
    default_clinical_notes: string | null
  } | null
  /** Those that the account allows in the state of the patient. */
  billing_types:
    | ('client_bill' | 'commercial_insurance' | 'patient_bill_passthrough' | 'patient_bill')[]
    | null
  /** Without a physician in the request the order is refused. */
  needs_physician: boolean | null
  needs_fasting: boolean
  /** Those without which the order is refused. */
  consents: (
    | 'terms-of-use'
    | 'telehealth-informed-consent'
    | 'mobile-terms-and-conditions'
    | 'notice-of-privacy-practices'
    | 'privacy-policy'
    | 'hipaa-authorization'
  )[]
  questions: OrderQuestion[]
  /** The laboratory gets `clinical_notes`; else they stay with the order. */
  notes_are_forwarded: boolean
}

/**
 * `data.shipment` is there for test kits, `data.appointment_id` for walk-in tests and phlebotomy.
 */
export type OrderDetails = {
  /** What kind it is. */
  type: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  /** The items. */
  data: {
    /**
     * Id.
     * @format uuid
     */
    id: string
    shipment?: Shipment | null
    /** @format uuid */
    appointment_id?: string | null
    /**
     * When it was made.
     * @format date-time
     */
    created_at: string
    /**
     * When it was changed last.
     * @format date-time
     */
    updated_at: string
  }
}

export interface OrderEvent {
  /** Id. */
  id: number
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /** `<group>.<method>.<low-level status>`; open. */
  status: string
  status_detail:
    | 'fulfillment_error'
    | 'date_of_collection_unspecified'
    | 'demographic_information_unspecified'
    | 'demographic_information_mismatch'
    | 'sample_quantity_not_sufficient'
    | 'sample_contaminated'
    | 'sample_stability_exceeded'
    | 'sample_hemolyzed'
    | 'sample_improper_collection'
    | null
}

export interface OrderFilters {
  /** As in the list of orders. */
  status?: (
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
  )[]
  /** As in the list of orders. */
  order_type?: ('testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection')[]
  /** As in the list of orders. */
  interpretation?: 'normal' | 'abnormal' | 'critical' | 'unknown'
  /** As in the list of orders. */
  is_critical?: boolean
  /** As in the list of orders. */
  order_activation_types?: ('current' | 'scheduled')[]
  /**
   * As in the list of orders.
   * @format date
   */
  start_date?: string
  /**
   * As in the list of orders.
   * @format date
   */
  end_date?: string
  /**
   * As in the list of orders.
   * @format date
   */
  updated_start_date?: string
  /**
   * As in the list of orders.
   * @format date
   */
  updated_end_date?: string
  /** Today and the days before it, for the reader to reckon the dates of. */
  created_within_days?: number
  /**
   * As in the list of orders.
   * @format uuid
   */
  user_id?: string
  /**
   * As in the list of orders.
   * @format uuid
   */
  order_transaction_id?: string
  /** As in the list of orders. */
  order_key?: 'created_at' | 'patient_name' | 'last_status'
  /** As in the list of orders. */
  order_direction?: 'asc' | 'desc'
}

export interface OrderImport {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Who pays. */
  billing_type: 'client_bill' | 'commercial_insurance' | 'patient_bill_passthrough' | 'patient_bill'
  /** What is ordered: lab tests, and further markers. */
  order_set: OrderSetRequest
  /** How the sample is taken. */
  collection_method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  /** Who orders; null when the lab account or the network has one. */
  physician?: PhysicianCreateRequest | null
  /** The patient. */
  patient_details: PatientDetailsInput
  /** Where the patient lives. */
  patient_address: ImportPatientAddress
  /** Number of the sample or kit. */
  sample_id: string
  /**
   * Id of the lab account; null lets Salus choose.
   * @format uuid
   */
  lab_account_id?: string | null
}

export interface OrderInTransaction {
  /**
   * Id.
   * @format uuid
   */
  id: string
  low_level_status:
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
    | null
  /** @format date-time */
  low_level_status_created_at: string | null
  origin: 'initial' | 'redraw' | 'recreation' | null
  /** @format uuid */
  parent_id: string | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface OrderPatch {
  /**
   * Day on which the order is handed over; null is at once.
   * @format date
   */
  activate_by: string | null
}

export interface OrderPatientAddress {
  /** Name on the parcel or the door. */
  receiver_name: string
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** ZIP code, 12345 or 12345-6789. */
  zip: string
  /** Country, two letters. */
  country: string
  /** How to get in. */
  access_notes: string | null
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string | null
}

export interface OrderPatientDetails {
  /** Given name. */
  first_name: string | null
  /** Family name. */
  last_name: string | null
  /**
   * Birth date, YYYY-MM-DD.
   * @format date
   */
  dob: string
  /** As laboratories ask for it. */
  gender: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string | null
  /** E-mail address. */
  email: string | null
  /** Who decides for the person; needed for people under 18. */
  medical_proxy: GuarantorDetails | null
  /** For laboratories that ask. */
  race: string | null
  /** For laboratories that ask. */
  ethnicity: string | null
  /** For laboratories that ask. */
  sexual_orientation: string | null
  /** For laboratories that ask. */
  gender_identity: string | null
}

export interface OrderProblem {
  /** What of the request it is about, as `patient_details.first_name`. */
  field: string
  /** As the refusal of the order would say it; of the shape the `type` of a 422. */
  error_type: string
  /** What happened, in words. */
  message: string
  /** What the refusal has beside its code and its message. */
  detail: Record<string, unknown>
}

export interface OrderQuestion {
  /** Id of the marker. */
  marker_id: number
  marker_name: string
  question: Question
  /** An order without an answer is refused. */
  must_answer: boolean
  /** What counts where nobody answers: fasting, or the default. */
  presumed_answer: string | null
}

export type OrderSetRequest = {
  /** Ids of lab tests. */
  lab_test_ids?: string[] | null
  /** Further markers, by ids or by codes. */
  add_on?: {
    /** Ids of markers. */
    marker_ids?: number[] | null
    /** The laboratory's own codes of markers. */
    provider_ids?: string[] | null
  } | null
  /**
   * Id of the lab account; null lets Salus choose.
   * @format uuid
   */
  lab_account_id?: string | null
}

export interface OrderShippingDetails {
  /** Name on the parcel or the door. */
  receiver_name: string
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** ZIP code, 12345 or 12345-6789. */
  zip: string
  /** Country, two letters. */
  country: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string
}

export interface OrderSimulation {
  /** What the results say, taken as a whole. */
  interpretation?: 'normal' | 'abnormal' | 'critical' | 'unknown'
  /** Kinds of results to make. */
  result_types?: ('numeric' | 'range' | 'comment' | 'coded_value')[] | null
  /** Whether a result is missing. */
  has_missing_results?: boolean | null
  /** Finer detail of the final status. */
  status_detail?:
    | 'fulfillment_error'
    | 'date_of_collection_unspecified'
    | 'demographic_information_unspecified'
    | 'demographic_information_mismatch'
    | 'sample_quantity_not_sufficient'
    | 'sample_contaminated'
    | 'sample_stability_exceeded'
    | 'sample_hemolyzed'
    | 'sample_improper_collection'
    | null
}

export interface OrderSummary {
  /**
   * Id.
   * @format uuid
   */
  id: string
  origin: 'initial' | 'redraw' | 'recreation'
  /** @format uuid */
  parent_id: string | null
  last_status:
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
  /** @format date-time */
  last_status_created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  low_level_status:
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
  /** @format date-time */
  low_level_status_created_at: string
}

export interface OrderTransaction {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** The state it is in. */
  status: 'active' | 'completed' | 'cancelled'
  /** Orders. */
  orders: OrderInTransaction[]
}

export interface OrderTransactionDetails {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /** The state it is in. */
  status: 'active' | 'completed' | 'cancelled'
  /** Orders. */
  orders: OrderSummary[]
}

export interface OrderValidation {
  /** The order would be placed. */
  is_valid: boolean
  problems: OrderProblem[]
  demands: OrderDemands | null
}

export interface OrderableTests {
  candidates: Record<string, PerLabCandidate[]>
}

export interface OrderableTestsSearch {
  /** The laboratory's own codes of markers. */
  provider_ids: string[]
  /** Slug of the laboratory that is asked. */
  target_lab: 'labcorp' | 'quest' | 'bioreference' | 'sonora_quest'
  /** How many tests for each code at most. */
  per_provider_limit?: number
}

export interface Organization {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /**
   * Until when it is good.
   * @format date-time
   */
  expires_at: string | null
}

export interface OvulationTest {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** What the test showed. */
  test_result:
    | 'negative'
    | 'positive'
    | 'luteinizing_hormone_surge'
    | 'estrogen_surge'
    | 'indeterminate'
}

export interface ParentBiomarkerData {
  /** Id of the marker. */
  marker_id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** The laboratory's own code. */
  provider_id: string | null
}

export interface ParsedLabReportData {
  /** Further facts of the source, as texts by name. */
  metadata: ResultMetadata
  /** Results, one for each analyte. */
  results: LabReportResult[]
}

export interface ParsingJob {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * The same as `id`.
   * @format uuid
   */
  job_id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** The state it is in. */
  status: 'upload_pending' | 'started' | 'pending_review' | 'completed' | 'failed'
  /** Set when `failed`. */
  failure_reason:
    | 'invalid_input'
    | 'low_quality'
    | 'not_english'
    | 'too_many_pages'
    | 'processing_error'
    | null
  /** As asked at creation. */
  needs_human_review: boolean
  /** A reviewer has decided. */
  is_reviewed: boolean
  /**
   * Why a reviewer is to look at the report, also when that is decided; empty when no reviewer is.
   * `requested` is `needs_human_review`; `results_not_read`: the report holds results that are not
   * in the reading, see `unread` of the evidence; `doubtful_values`: see `doubts` of its fields.
   */
  review_reasons: (
    | 'requested'
    | 'patient_mismatch'
    | 'patient_uncertain'
    | 'several_patients'
    | 'results_not_read'
    | 'doubtful_values'
  )[]
  patient_match: PatientMatch | null
  progress: ParsingProgress | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /** The items. */
  data: ParsedLabReportData | null
}

export interface ParsingJobList {
  jobs: ParsingJobSummary[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface ParsingJobSummary {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * The same as `id`.
   * @format uuid
   */
  job_id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** The state it is in. */
  status: 'upload_pending' | 'started' | 'pending_review' | 'completed' | 'failed'
  /** Set when `failed`. */
  failure_reason:
    | 'invalid_input'
    | 'low_quality'
    | 'not_english'
    | 'too_many_pages'
    | 'processing_error'
    | null
  /** As asked at creation. */
  needs_human_review: boolean
  /** A reviewer has decided. */
  is_reviewed: boolean
  /**
   * Why a reviewer is to look at the report, also when that is decided; empty when no reviewer is.
   * `requested` is `needs_human_review`; `results_not_read`: the report holds results that are not
   * in the reading, see `unread` of the evidence; `doubtful_values`: see `doubts` of its fields.
   */
  review_reasons: (
    | 'requested'
    | 'patient_mismatch'
    | 'patient_uncertain'
    | 'several_patients'
    | 'results_not_read'
    | 'doubtful_values'
  )[]
  patient_match: PatientMatch | null
  progress: ParsingProgress | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface ParsingProgress {
  pages_read: number
  pages: number
}

export interface PasswordSignIn {
  /** Name by which the person signs in to the provider. */
  username: string
  /** Password of the person with the provider. */
  password: string
  /** Region of the team. */
  region?:
    | 'us'
    | 'eu'
    | 'de'
    | 'fr'
    | 'ca'
    | 'br'
    | 'ar'
    | 'cl'
    | 'co'
    | 'mx'
    | 'gb'
    | 'ie'
    | 'au'
    | 'nz'
    | 'nl'
    | 'at'
    | 'be'
    | 'bh'
    | 'ch'
    | 'cz'
    | 'dk'
    | 'eg'
    | 'es'
    | 'fi'
    | 'gr'
    | 'hr'
    | 'il'
    | 'it'
    | 'jo'
    | 'kw'
    | 'lb'
    | 'lu'
    | 'no'
    | 'om'
    | 'pl'
    | 'pt'
    | 'qa'
    | 'sa'
    | 'se'
    | 'si'
    | 'sk'
    | 'tr'
    | 'za'
    | 'in'
    | 'sg'
    | 'hk'
    | 'kr'
    | 'ph'
    | 'tw'
    | null
}

export interface PatientAddressInput {
  /** Name on the parcel or the door. */
  receiver_name?: string
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line?: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** Country, two letters. */
  country: string
  /** How to get in. */
  access_notes?: string | null
  /** Telephone number; ten digits count as one of the United States. */
  phone_number?: string | null
  /** ZIP code, 12345 or 12345-6789. */
  zip: string
}

/** The patient of the report beside the person that it was uploaded for, as of now. */
export interface PatientComparison {
  match: PatientMatch
  printed: PrintedPatient
  /** What is known of the person, the surest source first. */
  known: KnownPatient[]
}

export interface PatientDetailsInput {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /**
   * Birth date, YYYY-MM-DD.
   * @format date
   */
  dob: string
  /** One of female, male, other, unknown, in any case. */
  gender: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string
  /**
   * E-mail address.
   * @format email
   */
  email: string
  /** Who decides for the person; needed for people under 18. */
  medical_proxy?: GuarantorDetailsInput | null
  /** For laboratories that ask. */
  race?:
    | 'african_american_or_black'
    | 'asian'
    | 'indigenous_native_american_alaska_native'
    | 'other'
    | 'pacific_islander_or_hawaiian'
    | 'white_caucasian'
    | null
  /** For laboratories that ask. */
  ethnicity?: 'hispanic' | 'non_hispanic' | 'ashkenazi_jewish' | 'other' | null
  /** For laboratories that ask. */
  sexual_orientation?:
    | 'lesbian_gay_or_homosexual'
    | 'heterosexual_or_straight'
    | 'bisexual'
    | 'dont_know'
    | 'other'
    | null
  /** For laboratories that ask. */
  gender_identity?:
    | 'male'
    | 'female'
    | 'female_to_male_ftm_transgender_male_trans_man'
    | 'male_to_female_mtf_transgender_female_trans_woman'
    | 'genderqueer'
    | 'other'
    | null
  /** Yearly income of the household in US dollars. */
  household_income?: number | null
  /** People in the household. */
  household_size?: number | null
}

export interface PatientFieldMatch {
  /**
   * `partial` fits as far as it goes, such as an initial; `uncertain` may be an error, such as one
   * wrong letter, or day and month swapped.
   */
  outcome: 'match' | 'partial' | 'uncertain' | 'mismatch' | 'not_comparable'
  /** Where the fact of the person is known from; null when it was not compared. */
  compared_with:
    | 'demographics'
    | 'fallback_birth_date'
    | 'order'
    | 'insurance'
    | 'lab_report'
    | null
}

/** How the patient of a report fits the person that it was uploaded for. */
export interface PatientMatch {
  /** `not_comparable`: the report does not name its patient, or nothing is known of the person. */
  status: 'match' | 'uncertain' | 'mismatch' | 'not_comparable'
  /** Name. */
  name: PatientFieldMatch
  /** Birth date, YYYY-MM-DD. */
  birth_date: PatientFieldMatch
  /** As the laboratory has it. */
  sex: PatientFieldMatch
  /** The report names further patients. */
  has_other_patients: boolean
  /** A reviewer has confirmed that the report is this person's. */
  is_confirmed: boolean
}

export interface PatientServiceCenterAppointmentCancelRequest {
  /**
   * One of the reasons that are listed.
   * @format uuid
   */
  cancellationReasonId?: string
  /** For whoever reads the decision. */
  note?: string | null
  /**
   * One of the reasons that are listed.
   * @format uuid
   */
  cancellation_reason_id?: string
  /** For whoever reads the order. */
  notes?: string | null
}

export interface PatientServiceCenters {
  /** Number of the laboratory. */
  lab_id: number
  /** Short name. */
  slug: string
  patient_service_centers: LabLocation[]
}

export interface Payor {
  /** Code of the payor, as the search answers it. */
  payor_code: string
  /** Name. */
  name: string
  aliases: string[]
  /** Postal address of the payor. */
  org_address: Address
  /** Where it comes from. */
  source: 'platform' | 'team'
}

export interface PayorCreate {
  /** Name. */
  name: string
  /** Postal address. */
  address: AddressInput
  /** Slug of the provider. */
  provider?:
    | 'change_healthcare'
    | 'availity'
    | 'stedi'
    | 'waystar'
    | 'claim_md'
    | 'apero'
    | 'pverify'
    | null
  /** Id of the payor at the provider. */
  provider_payor_id?: string | null
}

export interface PayorImport {
  /** The text of a CSV file with the columns of docs/insurance.md. */
  csv: string
}

export interface PayorReport {
  /** Nothing was kept. */
  dry_run: boolean
  payors: CatalogChanges
  /** Payors that the list no longer has. */
  deactivated: number
}

export interface PeakExpiratoryFlowRateGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: PeakExpiratoryFlowRateSample[]
}

export interface PeakExpiratoryFlowRateGroups {
  /** By provider slug. */
  groups: Record<string, PeakExpiratoryFlowRateGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface PeakExpiratoryFlowRateMerged {
  /** The items. */
  data: PeakExpiratoryFlowRateSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Highest flow of a forced breath. */
export interface PeakExpiratoryFlowRateSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'L/min'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Highest flow of a forced breath. */
export interface PeakExpiratoryFlowRateSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'L/min'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface PerLabCandidate {
  /** Id of the marker. */
  marker_id: number
  /** Number of the laboratory. */
  lab_id: number
  /** Slug of the laboratory. */
  lab_slug: string | null
  /** Name. */
  name: string
  result_names: string[]
  /** The laboratory's own code. */
  provider_id: string | null
  /** Names what is measured, whatever the lab. */
  loinc_set_hash: string
  loinc_codes: string[]
  loinc_components: string[]
  /** Not available; always empty. */
  loinc_groups: string[]
  cpt_codes: string[]
  /** One of exact, subset, superset, overlap, suggested. */
  relation: string
  confidence: number
  reason_codes: string[]
  marker_popularity_score: number
}

export type PerformingLaboratory = {
  /** Name. */
  name: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string | null
  medical_director: string | null
  /** Postal address. */
  address: {
    /** Street and number. */
    first_line: string
    /** Further line of the address. */
    second_line: string | null
    /** City. */
    city: string
    /** State or territory, two letters in the United States. */
    state: string
    /** ZIP code, 12345 or 12345-6789. */
    zip: string
    /** Country, two letters. */
    country: string
    /** How to get in. */
    access_notes: string | null
  } | null
}

export interface PersonDocument {
  /** What kind it is. */
  type: 'requisition' | 'abn' | 'collection_instructions' | 'result' | 'lab_report'
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string | null
  /** @format uuid */
  parsing_job_id: string | null
  /** What was ordered; null of a lab report. */
  lab_test_name: string | null
  result_version: number | null
  /** Whether more results come. */
  result_status: 'final' | 'partial' | null
  /** Of the files of a lab report, from 1. */
  file_number: number | null
  /** Media type of the picture. */
  content_type: 'application/pdf' | 'image/jpeg' | 'image/png'
  /** What to request, with the same credential, to read the document. */
  path: string
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
}

export interface PersonExport {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  format: 'json' | 'csv' | 'parquet' | 'fhir'
  /** The state it is in. */
  status: 'queued' | 'running' | 'completed' | 'failed'
  /** Rows of all tables, once it runs. */
  rows_total: number
  /** How far it is. */
  rows_written: number
  file_bytes: number | null
  /** Of the archive as it is downloaded. */
  file_sha256: string | null
  /** @format date-time */
  link_expires_at: string | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /** @format date-time */
  completed_at: string | null
  /**
   * Until when it is good.
   * @format date-time
   */
  expires_at: string
}

export interface PersonExportCreate {
  /** What tables are written as; with `fhir` also a bundle of FHIR R4. */
  format: 'json' | 'csv' | 'parquet' | 'fhir'
}

export interface PersonExportList {
  /** The items. */
  data: PersonExport[]
}

export interface PersonResult {
  /** Where it comes from. */
  source: 'order' | 'lab_report'
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string | null
  /** @format uuid */
  parsing_job_id: string | null
  /** As the laboratory calls it. */
  name: string
  loinc_code: string | null
  /**
   * The same for results that measure the same, in whatever unit and by whatever method; nothing
   * else is to be read from it.
   */
  measurement: string | null
  /**
   * Day of collection, else of the report; null where a report does not tell it.
   * @format date
   */
  date: string | null
  /** As reported. */
  value: string
  /** The number in the value; null where there is none. */
  number: number | null
  comparator: '<' | '>' | '<=' | '>=' | null
  /** Unit of the value. */
  unit: string | null
  ucum_unit: string | null
  /** Lower end of the range. */
  min_range_value: number | null
  /** Upper end of the range. */
  max_range_value: number | null
  /** What the results say, taken as a whole. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown'
}

export interface PersonResults {
  /** Results, one for each analyte. */
  results: PersonResult[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface Physician {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** National provider identifier, 10 digits. */
  npi: string
}

export type PhysicianCreateRequest = {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** E-mail address. */
  email?: string | null
  /** National provider identifier, 10 digits. */
  npi: string
  /** States of the license, two letters each. */
  licensed_states?: string[]
  /** A picture, as base64. */
  signature_image?: {
    /** Base64. */
    content: string
    /** Media type of the picture. */
    content_type: 'image/jpeg' | 'image/png'
  } | null
}

export interface PhysicianCreateRequestBase {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /** E-mail address. */
  email?: string | null
  /** National provider identifier, 10 digits. */
  npi: string
  /** States of the license, two letters each. */
  licensed_states?: string[]
}

export type Pipeline = {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /** History is sent as data events too. */
  push_historical_data: boolean
  /** Not available; always false. */
  provider_raw_data: boolean
  /** Where events are sent. */
  preferences: {
    /** svix stands for webhooks. */
    preferred: 'cloud_pubsub' | 'rabbitmq' | 'svix' | 'azure_amqp'
    /** Switched on. */
    enabled: ('cloud_pubsub' | 'rabbitmq' | 'svix' | 'azure_amqp')[]
  }
  /** Not available; always null. */
  cloud_pubsub: Record<string, unknown> | null
  /** Not available; always null. */
  rabbitmq: Record<string, unknown> | null
  /** Webhooks; always on. */
  svix: Record<string, unknown> | null
  /** Not available; always null. */
  azure_amqp: Record<string, unknown> | null
  /** Only events whose type begins so; null is all. */
  event_type_prefixes: string[] | null
}

export interface PortalUrl {
  /** Address that events are sent to. */
  url: string
  /** Seconds. */
  expires_in: number
}

export interface PortalUrlCreate {
  /** launch: a link of minutes, for a direct redirect; communications: a short link of weeks. */
  context: 'launch' | 'communications'
  /**
   * Id of the order.
   * @format uuid
   */
  order_id?: string | null
}

export type PossibleTransitions = {
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string
  low_level_status:
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
  /** Nothing more comes, save corrections of results. */
  is_final: boolean
  transitions: {
    to:
      | 'ordered'
      | 'requisition_created'
      | 'requisition_bypassed'
      | 'transit_customer'
      | 'out_for_delivery'
      | 'with_customer'
      | 'transit_lab'
      | 'delivered_to_lab'
      | 'completed'
      | 'failure_to_deliver_to_lab'
      | 'failure_to_deliver_to_customer'
      | 'problem_in_transit_lab'
      | 'problem_in_transit_customer'
      | 'sample_error'
      | 'appointment_scheduled'
      | 'appointment_cancelled'
      | 'appointment_pending'
      | 'draw_completed'
      | 'cancelled'
      | 'lost'
      | 'do_not_process'
      | 'partial_results'
      | 'awaiting_registration'
      | 'registered'
      | 'redraw_available'
      | 'corrected'
      | 'lab_processing_blocked'
    /** Dotted, as an event of the order would show it. */
    status: string
    causes: {
      cause:
        | 'requisition_accepted'
        | 'fulfillment_failed'
        | 'outbound in_transit'
        | 'outbound out_for_delivery'
        | 'outbound delivered'
        | 'outbound exception'
        | 'outbound not_deliverable'
        | 'outbound lost'
        | 'inbound in_transit'
        | 'inbound exception'
        | 'inbound not_deliverable'
        | 'inbound lost'
        | 'sample_received'
        | 'processing_blocked'
        | 'processing_resumed'
        | 'sample_error'
        | 'sample_lost'
        | 'do_not_process'
        | 'appointment_pending'
        | 'appointment_scheduled'
        | 'appointment_cancelled'
        | 'draw_completed'
        | 'partial_result'
        | 'final_result'
        | 'final_result_with_gaps'
        | 'corrected_result'
        | 'import_order'
        | 'order_kit'
        | 'register_kit'
        | 'complete_draw'
        | 'cancel_order'
      by: 'update' | 'result' | 'command'
      /** What it tells. */
      meaning: string
    }[]
  }[]
  /** The life of an order of this method that goes well, from its beginning. */
  usual_path: (
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
  )[]
  /** What the team may ask of the order now. */
  can: {
    cancel: boolean
    /** Its `activate_by` may be changed. */
    reschedule: boolean
    complete_draw: boolean
    register_kit: boolean
    replace: boolean
  }
}

export interface PostOrderResponse {
  order: Order
  /** The state it is in. */
  status: string
  /** What happened, in words. */
  message: string
}

export type PricingModifier = {
  delta_amount_minor:
    | number
    | {
        /** Cents. */
        minimum: number
        /** Cents. */
        maximum: number
      }
  conditions: {
    us_state: {
      any_of: string[]
    } | null
    reflex: Record<string, unknown> | null
  }
}

export interface PrintedPatient {
  /** Given name. */
  first_name: string | null
  /** Family name. */
  last_name: string | null
  /** As printed. */
  dob: string | null
  /** As the laboratory has it. */
  sex: 'male' | 'female' | 'other'
}

export interface Profile {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Height of the person. Unit: cm. */
  height: number | null
  /**
   * Birth date, YYYY-MM-DD.
   * @format date
   */
  birth_date: string | null
  /** true or null, never false. */
  wheelchair_use: boolean | null
  /** As laboratories ask for it. */
  gender: 'female' | 'male' | 'other' | 'unknown' | null
  /** As the laboratory has it. */
  sex: 'female' | 'male' | 'other' | null
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
}

export interface ProfileUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: ProfileUploadData
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface ProfileUploadData {
  /** male, female, other or not_set. */
  biological_sex?: unknown
  /** A date or a date-time. */
  date_of_birth?: unknown
  /** Height of the person. Unit: cm. */
  height?: unknown
  /** IANA zone. */
  time_zone?: unknown
  /** true or false. */
  wheelchair_use?: unknown
}

export interface ProviderConnection {
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** Address of a mark. */
  logo: string
  /** connected, error or paused. */
  status: string
  /**
   * When it was made.
   * @format date-time
   */
  created_on: string
  resource_availability: Record<string, ResourceAvailability>
  /** What went wrong; null when nothing did. */
  error_details: ConnectionErrorDetails | null
  external_user_id: string | null
}

export interface ProviderConnections {
  providers: ProviderConnection[]
}

export interface ProviderDescription {
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** What it is, in words. */
  description: string
  /** Address of a mark. */
  logo: string | null
  /** Way of signing in; null where there is none. */
  auth_type: string | null
  supported_resources: string[]
}

export interface ProviderIdConversion {
  source_provider_id: string
  candidates: PerLabCandidate[]
}

export interface ProviderLinkResponse {
  /** State or territory, two letters in the United States. */
  state: 'success' | 'error' | 'pending_provider_mfa'
  /** Where to send the person now, with the outcome in its query. */
  redirect_url: string | null
  /** Code of what went wrong. */
  error_type:
    | 'invalid_token'
    | 'token_expired'
    | 'token_not_validated'
    | 'token_consumed'
    | 'provider_credential_error'
    | 'provider_password_expired'
    | 'provider_api_error'
    | 'unsupported_region'
    | 'duplicate_connection'
    | 'required_scopes_not_granted'
    | 'incorrect_mfa_code'
    | 'user_cancelled'
    | null
  /** What went wrong; null when nothing did. */
  error: string | null
  provider_mfa: ProviderMFARequest | null
  /** Slug of the provider. */
  provider: string
  connected: boolean
  /** The provider's id of the account. */
  provider_id: string | null
}

export interface ProviderMFARequest {
  /** How the code came: sms or email. */
  method: string
  /** Where it went, such as a redacted phone number. */
  hint: string
}

export interface ProviderRef {
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** URL of an image. */
  logo: string
}

export type ProviderStatusList = {
  /** The items. */
  data: {
    /** Slug of the provider. */
    provider: string
    /** As people write it. */
    provider_name: string
    /** Environment of the team. */
    env: 'sandbox' | 'production'
    connected: number
    /** Connections that no longer work. */
    in_error: number
    /** Collections of connections that are asked for. */
    tasks: number
    due: number
    /** @format date-time */
    oldest_due_at: string | null
    /** Tasks whose last attempt failed. */
    failing: number
    /** The most frequent one. */
    failing_reason: string | null
    /** @format date-time */
    last_success_at: string | null
    budgets: {
      per: 'app' | 'connection'
      /** Allowed in so many seconds. */
      requests: number | null
      /** How far to move, in seconds. */
      seconds: number | null
      /** Apps or connections that drew on theirs lately. */
      used: number
      /** Requests that can be sent at once, by who has least. */
      available: number | null
      capacity: number | null
      /** Of those used, how many have none left. */
      spent: number
      /** @format date-time */
      blocked_until: string | null
    }[]
  }[]
}

export type PscAreaInfo = {
  patient_service_centers: {
    /** A site can be booked through Salus. */
    appointment_with_vital: boolean
    /** Number of sites. */
    within_radius: number
    radius: string
    capabilities: (
      | 'stat'
      | 'appointment_scheduling_via_service'
      | 'appointment_scheduling_with_lab'
      | 'appointment_scheduling_via_junction'
    )[]
  }
  supported_bill_types: (
    | 'client_bill'
    | 'commercial_insurance'
    | 'patient_bill_passthrough'
    | 'patient_bill'
  )[]
  /** Number of the laboratory. */
  lab_id: number
}

export type PullStatistics = {
  /** The state it is in. */
  status: 'scheduled' | 'in_progress' | 'retrying' | 'success' | 'failure'
  /**
   * When the range begins.
   * @format date-time
   */
  range_start: string | null
  /**
   * When the range ends.
   * @format date-time
   */
  range_end: string | null
  timeline: {
    /**
     * When it is due.
     * @format date-time
     */
    scheduled_at: string
    /**
     * When it began.
     * @format date-time
     */
    started_at: string | null
    /**
     * When it ended; null while it runs.
     * @format date-time
     */
    ended_at: string | null
  }
  /** UTC days within the range that have samples or summaries. */
  days_with_data: number
  /** Version of the server. */
  release: string
  /** Names the run; the next one has another. */
  trace_id: string
  /** What went wrong; null when nothing did. */
  error_details: string | null
}

export type PutAsideList = {
  items: {
    resource: string
    /** Slug of the provider. */
    provider: string
    reason: string
    /** As it came. */
    item: unknown
    /** @format date-time */
    received_at: string
  }[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface QuantitySample {
  /** In the unit beside it. */
  value: number
  /** Unit of the value. */
  unit: string
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date: string
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string
  /** Id. */
  id?: string | null
  /** App that made it. */
  source_bundle?: string | null
  /** Device model. */
  product_type?: string | null
  /** What kind it is. */
  type?:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
  /** Further facts of the source, as texts by name. */
  metadata?: Record<string, string> | null
}

export interface QuantityUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: QuantitySample[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface Query {
  /** The columns. */
  select: (
    | QueryAggregate
    | QueryGroupKey
    | QuerySeriesField
    | QueryMergedField
    | QueryColumnInput
    | QueryIndex
    | QuerySource
    | QueryValueMacro
    | QuerySubquery
    | QueryPlaceholder
  )[]
  /** What rows are put together by. */
  group_by?:
    | (
        | QueryDateTrunc
        | QueryDatePart
        | QuerySource
        | QueryValueMacro
        | QuerySeriesField
        | QueryMergedField
        | QueryColumnInput
        | QueryPlaceholder
      )[]
    | null
  /**
   * Comparisons of columns with values or columns, with AND, OR, NOT and parentheses, such as
   * `efficiency > 80 AND source_type != 'phone'`. At most 4000 characters.
   */
  where?: string | null
  align?: QueryAlign | null
  /**
   * Adds source_provider and source_type as the last group keys.
   * @deprecated
   */
  split_by_source?: boolean | null
}

export interface QueryAggregate {
  /** How values are made one. */
  func:
    | 'mean'
    | 'min'
    | 'max'
    | 'sum'
    | 'count'
    | 'median'
    | 'stddev'
    | 'oldest'
    | 'newest'
    | 'latest'
  /** What it is applied to. */
  arg:
    | QuerySeriesField
    | QueryMergedField
    | QueryColumnInput
    | QueryIndex
    | QueryValueMacro
    | QuerySubquery
    | QueryPlaceholder
}

/** Makes the missing rows of the date_trunc and fills what is null. */
export type QueryAlign = {
  /** How a missing value is taken from its neighbours. */
  carry:
    | {
        /** How it is done. */
        mode: 'carry_forward' | 'carry_backward'
        /** How old a value may be that is carried. */
        max_age?: QueryPeriod | null
      }
    | {
        /** How it is done. */
        mode: 'carry_nearest'
        /** How far away a value may be that is carried. */
        span?: QueryPeriod | null
      }
}

export interface QueryColumn {
  /** Name of a field of this table. */
  name: string
  /** Name of a field of this table. */
  type: 'integer' | 'number' | 'boolean' | 'text' | 'date' | 'datetime'
  /** Name of a field of this table. */
  nullable: boolean
}

/** A column of a table, such as `{"sleep": "efficiency"}`. */
export interface QueryColumnInput {
  /** Name of a field of this table. */
  sleep?: string
  /** Name of a field of this table. */
  activity?: string
  /** Name of a field of this table. */
  workout?: string
  /** Name of a field of this table. */
  body?: string
  /** Name of a field of this table. */
  meal?: string
  /** Name of a field of this table. */
  menstrual_cycle?: string
  /** Name of a field of this table. */
  profile?: string
  /** Name of a field of this table. */
  derived_readiness?: string
}

export interface QueryConfig {
  /** Slugs of providers that come before all others, the most wanted first. */
  provider_priority_overrides?:
    | (
        | 'oura'
        | 'fitbit'
        | 'garmin'
        | 'whoop'
        | 'strava'
        | 'renpho'
        | 'peloton'
        | 'wahoo'
        | 'zwift'
        | 'freestyle_libre'
        | 'abbott_libreview'
        | 'tandem_source'
        | 'freestyle_libre_ble'
        | 'eight_sleep'
        | 'withings'
        | 'apple_health_kit'
        | 'manual'
        | 'ihealth'
        | 'google_fit'
        | 'beurer_api'
        | 'beurer_ble'
        | 'omron'
        | 'omron_ble'
        | 'onetouch_ble'
        | 'accuchek_ble'
        | 'contour_ble'
        | 'dexcom'
        | 'dexcom_v3'
        | 'hammerhead'
        | 'my_fitness_pal'
        | 'health_connect'
        | 'samsung_health'
        | 'polar'
        | 'cronometer'
        | 'kardia'
        | 'whoop_v2'
        | 'ultrahuman'
        | 'my_fitness_pal_v2'
        | 'map_my_fitness'
        | 'runkeeper'
        | 'google_health'
        | 'ayumetrix'
        | 'spiriplex'
        | 'ussl'
        | 'quest'
        | 'sonora_quest'
        | 'labcorp'
        | 'bioreference'
        | 'us_biotek'
        | 'sanocardio'
        | 'ihd'
        | 'nexus'
        | 'my_uti'
        | 'crl'
        | 'mtl'
      )[]
    | null
}

/** Weekdays go from 1, Monday, to 7. */
export interface QueryDatePart {
  /** A part of the time, such as the hour. */
  date_part:
    | 'minute'
    | 'hour'
    | 'day'
    | 'week'
    | 'month'
    | 'year'
    | 'weekday'
    | 'week_of_year'
    | 'day_of_year'
  /** What it is applied to. */
  arg: QueryIndex | QueryPlaceholder
}

/** The start of the period of a row. */
export interface QueryDateTrunc {
  /** Times cut to this length. */
  date_trunc: QueryPeriod
  /** What it is applied to. */
  arg: QueryIndex | QueryPlaceholder
}

/** The group key of a position, from 0, or all of them. */
export interface QueryGroupKey {
  /** Number of a group key, or * for all of them. */
  group_key: number | '*'
}

/** The time by which the rows of a table go. */
export interface QueryIndex {
  /** Table whose times are meant. */
  index:
    | 'sleep'
    | 'activity'
    | 'workout'
    | 'body'
    | 'meal'
    | 'menstrual_cycle'
    | 'profile'
    | 'derived_readiness'
    | 'timeseries'
    | 'merged'
}

/** Read by subqueries only. */
export interface QueryList {
  /** Name. */
  name: string
  /** Empty of a list of texts. */
  fields: string[]
}

/**
 * A field of a series whose sources are merged, so that each instant counts once, such as
 * `{"merged": "steps", "field": "value"}`.
 */
export interface QueryMergedField {
  /** Name of a series, of which the sources are merged. */
  merged: string
  /** Name of a field of the series. */
  field: string
}

export interface QueryPeriod {
  /** In the unit beside it. */
  value?: number
  /** Unit of the value. */
  unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'
}

export interface QueryPlaceholder {
  /** Stands for the column that is aligned. */
  placeholder: boolean
}

export interface QueryRequest {
  /** The time that the queries look at. */
  timeframe: QueryTimeframe
  /** Each gives one table. */
  queries: Query[]
  /** How sources are weighed against each other. */
  config?: QueryConfig | null
}

export type QueryResponse = {
  /** Results, one for each analyte. */
  results: {
    /** Columns of equal length, by name. */
    table: QueryTable
    /**
     * Which sources count: `merged`, each instant once, by the merge of all sources; `one_source`,
     * of each group the rows of one source; `all_sources`, the rows of every source, also where
     * several measured the same.
     */
    source_rule: 'merged' | 'one_source' | 'all_sources'
  }[]
}

export interface QuerySeries {
  /** Name. */
  name: string
  fields: QueryColumn[]
}

/** A field of a time series, such as `{"timeseries": "steps", "field": "value"}`. */
export interface QuerySeriesField {
  /** Name of a series. */
  timeseries: string
  /** Name of a field of the series. */
  field: string
}

export interface QuerySource {
  /** A fact of the source. */
  source: 'source_provider' | 'source_type' | 'source_app_id' | 'source_workout_id' | 'source_sport'
}

/** One value made of a list column. */
export type QuerySubquery = {
  /** The columns. */
  select: {
    /** How values are made one. */
    func:
      | 'mean'
      | 'min'
      | 'max'
      | 'sum'
      | 'count'
      | 'median'
      | 'stddev'
      | 'oldest'
      | 'newest'
      | 'latest'
    /** What it is applied to. */
    arg:
      | {
          /** The elements of the list themselves. */
          element: true
        }
      | Record<string, string>
      | null
  }
  /** The list that is looked into. */
  from: {
    /** The list column. */
    unnest: QuerySeriesField | QueryMergedField | QueryColumnInput
  }
  /**
   * Comparisons of columns with values or columns, with AND, OR, NOT and parentheses, such as
   * `efficiency > 80 AND source_type != 'phone'`. At most 4000 characters.
   */
  where?: string | null
}

/** Column name to its values; all columns are of one length. */
export type QueryTable = Record<string, unknown[]>

export interface QueryTableDescription {
  /** Name. */
  name: string
  /** Table whose times are meant. */
  index: QueryColumn
  columns: QueryColumn[]
  macros: QueryColumn[]
  lists: QueryList[]
}

export interface QueryTables {
  /** Tables of summaries. */
  summaries: QueryTableDescription[]
  /** What the table `timeseries` can be asked for. */
  series: QuerySeries[]
  /** What the table `merged` can be asked for. */
  merged: QuerySeries[]
  functions: (
    | 'mean'
    | 'min'
    | 'max'
    | 'sum'
    | 'count'
    | 'median'
    | 'stddev'
    | 'oldest'
    | 'newest'
    | 'latest'
  )[]
  units: ('minute' | 'hour' | 'day' | 'week' | 'month' | 'year')[]
  date_parts: (
    | 'minute'
    | 'hour'
    | 'day'
    | 'week'
    | 'month'
    | 'year'
    | 'weekday'
    | 'week_of_year'
    | 'day_of_year'
  )[]
}

/** Local time that ends with the anchor day and is exactly `past` long. */
export interface QueryTimeframe {
  /** What kind it is. */
  type: 'relative'
  /**
   * The time that offsets count from.
   * @format date
   */
  anchor: string
  /** How far back from the anchor. */
  past: QueryPeriod
}

/** A value made of several columns of sleep. */
export interface QueryValueMacro {
  /** Name of a value that takes several columns. */
  value_macro: 'sleep_score' | 'chronotype' | 'asleep_at' | 'awake_at' | 'awakenings'
  /** Which version of it. */
  version?: 'automatic' | null
}

export type Question = {
  /** Id. */
  id: number
  required: boolean
  /** The link code. */
  code: string
  /** In the unit beside it. */
  value: string
  /** What kind it is. */
  type: 'choice' | 'text' | 'numeric' | 'multi_choice'
  sequence: number
  answers: {
    /** Id. */
    id: number
    /** What is sent back. */
    code: string
    /** What people read. */
    value: string
  }[]
  constraint: string | null
  /** Of all resources that are not named. */
  default: string | null
}

export interface RawActivity {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /** The item as it came. */
  data: Record<string, unknown>
  /**
   * The source's id of the record.
   * @deprecated
   */
  provider_id: string
  /**
   * Without meaning, 0.
   * @deprecated
   */
  source_id: number
  /**
   * Without meaning, 0.
   * @deprecated
   */
  priority_id: number
  /**
   * Id of the device.
   * @format uuid
   */
  source_device_id: string | null
  /** Where it comes from. */
  source: ProviderRef
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface RawBody {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /** The item as it came. */
  data: Record<string, unknown>
  /**
   * The source's id of the record.
   * @deprecated
   */
  provider_id: string
  /**
   * Without meaning, 0.
   * @deprecated
   */
  source_id: number
  /**
   * Without meaning, 0.
   * @deprecated
   */
  priority_id: number
  /**
   * Id of the device.
   * @format uuid
   */
  source_device_id: string | null
  /** Where it comes from. */
  source: ProviderRef
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /**
   * Without meaning, null.
   * @deprecated
   */
  priority: number | null
}

export interface RawDevice {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** The device. */
  data: Record<string, unknown>
  /**
   * The source's id of the device.
   * @deprecated
   */
  provider_id: string
  /**
   * Without meaning, 0.
   * @deprecated
   */
  source_id: number
  /** Where it comes from. */
  source: ProviderRef
}

export interface RawProfile {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** The item as it came. */
  data: unknown
  /**
   * Without meaning, 0.
   * @deprecated
   */
  source_id: number
  /**
   * Without meaning, 0.
   * @deprecated
   */
  priority_id: number
  /** Where it comes from. */
  source: ProviderRef
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface RawSleep {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /** The item as it came. */
  data: Record<string, unknown>
  /**
   * The source's id of the record.
   * @deprecated
   */
  provider_id: string
  /**
   * Without meaning, 0.
   * @deprecated
   */
  source_id: number
  /**
   * Without meaning, 0.
   * @deprecated
   */
  priority_id: number
  /**
   * Id of the device.
   * @format uuid
   */
  source_device_id: string | null
  /** Where it comes from. */
  source: ProviderRef
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /**
   * Without meaning, null.
   * @deprecated
   */
  priority: number | null
}

export interface RawWorkout {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /** The item as it came. */
  data: Record<string, unknown>
  /**
   * The source's id of the record.
   * @deprecated
   */
  provider_id: string
  /**
   * Without meaning, 0.
   * @deprecated
   */
  source_id: number
  /**
   * Without meaning, 0.
   * @deprecated
   */
  priority_id: number
  /**
   * Id of the device.
   * @format uuid
   */
  source_device_id: string | null
  /** Where it comes from. */
  source: ProviderRef
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /**
   * Number of the sport.
   * @deprecated
   */
  sport_id: number
  /** Slug of the sport. */
  sport: Sport
}

export interface ReceiptKey {
  /**
   * Id.
   * @format uuid
   */
  id: string
  algorithm: 'Ed25519'
  public_key: string
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
}

export interface ReceiptKeyList {
  keys: ReceiptKey[]
}

export interface RecordTypeReport {
  /** Record type of the file. */
  type: string
  /** Series that it feeds. */
  resource: string | null
  records: number
  /** New samples. */
  imported: number
  /** Samples that a newer version replaced. */
  updated: number
  /** Samples that were there already. */
  unchanged: number
  /** Outside the user's ingestion bounds. */
  out_of_bounds: number
  put_aside: number
  put_aside_reasons: Record<string, number>
  /** Parts of a sample that another type counts, or of a summary. */
  merged: number
  /** Records that nothing is made of. */
  not_supported: number
}

export interface RelatedCandidate {
  canonical: CanonicalCandidate
  /** One of exact, subset, superset, overlap, suggested. */
  relation: string
  confidence: number
  reason_codes: string[]
}

export interface RequestAppointmentRequest {
  /** Postal address. */
  address: USAddressInput
  /** Slug of the provider. */
  provider: 'getlabs' | 'phlebfinders' | 'quest' | 'sonora_quest'
  /** For who comes to the patient, or expects them. */
  appointment_notes?: string | null
}

export interface RequestMinute {
  /** @format date-time */
  at: string
  /** Answered by this process. */
  requests: number
  /** Of them, with a status of 4xx. */
  refused: number
  /** Of them, with a status of 5xx. */
  failed: number
  /** Time to answer, on average. */
  mean_ms: number
}

export interface ResendEvents {
  /** Ids of orders. */
  order_ids?: string[] | null
  /**
   * Changed at this time or later.
   * @format instant
   */
  start_at?: string | null
  /**
   * Changed at this time or earlier.
   * @format instant
   */
  end_at?: string | null
}

export interface ResolveUnmatchedResult {
  /** What to do with the result. */
  action: 'reject' | 'unsure'
  /** For whoever reads the decision. */
  note?: string | null
}

export type ResourceAvailability = {
  /** The state it is in. */
  status: 'available' | 'unavailable'
  scope_requirements: {
    user_granted: {
      required: string[]
      optional: string[]
    }
    user_denied: {
      required: string[]
      optional: string[]
    }
  } | null
}

export interface ResourceStatistics {
  last_attempt: LastAttempt | null
  /** @format date-time */
  oldest_data: string | null
  /** @format date-time */
  newest_data: string | null
  /** Objects sent in events about data that were new. */
  sent_count: number | null
}

export type ResourceStatisticsList = {
  /** The items. */
  data: {
    /**
     * Id of the person.
     * @format uuid
     */
    user_id: string
    /** By provider and resource. */
    provider: Record<string, Record<string, ResourceStatistics>>
  }[]
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface RespiratoryRateGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: RespiratoryRateSample[]
}

export interface RespiratoryRateGroups {
  /** By provider slug. */
  groups: Record<string, RespiratoryRateGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface RespiratoryRateMerged {
  /** The items. */
  data: RespiratoryRateSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Breaths per minute. */
export interface RespiratoryRateSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'bpm'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Breaths per minute. */
export interface RespiratoryRateSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'bpm'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface ResultMetadata {
  /** As printed. */
  patient_first_name: string | null
  /** As printed. */
  patient_last_name: string | null
  /** As printed. */
  dob: string | null
  /** Unknown ones are `other`. */
  gender: 'male' | 'female' | 'other'
  /** The laboratory that reports. */
  lab_name: string | null
  /** As printed. */
  date_reported: string | null
  /** As printed. */
  date_collected: string | null
  /** Specimen or accession number. */
  specimen_number: string | null
}

export interface ResultMetadataChanges {
  /** As printed. */
  patient_first_name?: string | null
  /** As printed. */
  patient_last_name?: string | null
  /** As printed. */
  dob?: string | null
  /** Unknown ones are `other`. */
  gender?: 'male' | 'female' | 'other'
  /** The laboratory that reports. */
  lab_name?: string | null
  /** As printed. */
  date_reported?: string | null
  /** As printed. */
  date_collected?: string | null
  /** Specimen or accession number. */
  specimen_number?: string | null
}

export type ResultTableSchema = {
  columns: {
    /** Name. */
    name: string
    /** What kind it is. */
    type: string
    nullable: boolean
  }[]
}

export interface ResultTrend {
  /** Codes of the results in the trend. */
  loinc_codes: string[]
  /** UCUM; null where the results have none. */
  unit: string | null
  /** Oldest first. */
  points: TrendPoint[]
  /** Oldest first; only with `period`. Values with a comparator do not count. */
  periods: TrendPeriod[] | null
  /**
   * Results of the analyte without a day or a number, or in a unit that does not become the other.
   */
  left_out: number
}

export interface ResultVersion {
  /** Counts from 1. */
  version: number
  /** The state it is in. */
  status: 'final' | 'partial'
  /** The laboratory called it a corrected report. */
  is_correction: boolean
  /** The worst of all results. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown'
  /** Whether a result is missing. */
  has_missing_results: boolean
  /**
   * By the laboratory.
   * @format date-time
   */
  date_reported: string
  /**
   * When it came.
   * @format date-time
   */
  created_at: string
}

export interface ResultVersions {
  /** Newest first. */
  data: ResultVersion[]
}

export interface RetainedResource {
  /** A series, a summary, or another kind of data. */
  resource:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | 'activity'
    | 'sleep'
    | 'workouts'
    | 'body'
    | 'meal'
    | 'menstrual_cycle'
    | 'profile'
    | 'electrocardiogram'
    | 'workout_stream'
    | 'put_aside'
    | 'lab_report'
    | 'lab_order'
    | 'lab_message'
    | 'insurance_policy'
  /** What lists of resources are grouped by. */
  kind: 'series' | 'summary' | 'other' | 'laboratory'
  /** What a rule removes; earlier is more than its days ago. */
  meaning: string
  /** Fewer are refused. */
  minimum_days: number
  /** More are refused. */
  maximum_days: number
}

export interface RetainedResources {
  /** The items. */
  data: RetainedResource[]
}

export interface RetentionDryRun {
  effects: RetentionEffect[]
  held_people: number
}

export interface RetentionEffect {
  /** A series, a summary, or another kind of data. */
  resource:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | 'activity'
    | 'sleep'
    | 'workouts'
    | 'body'
    | 'meal'
    | 'menstrual_cycle'
    | 'profile'
    | 'electrocardiogram'
    | 'workout_stream'
    | 'put_aside'
    | 'lab_report'
    | 'lab_order'
    | 'lab_message'
    | 'insurance_policy'
  /**
   * What began, ended or came longer ago than so many days, counted in UTC, is removed. Records of
   * laboratories have a minimum.
   */
  days: number
  /** @format date-time */
  older_than: string
  rows: number
  people: number
}

export interface RetentionRule {
  /** A series, a summary, or another kind of data. */
  resource:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | 'activity'
    | 'sleep'
    | 'workouts'
    | 'body'
    | 'meal'
    | 'menstrual_cycle'
    | 'profile'
    | 'electrocardiogram'
    | 'workout_stream'
    | 'put_aside'
    | 'lab_report'
    | 'lab_order'
    | 'lab_message'
    | 'insurance_policy'
  /**
   * What began, ended or came longer ago than so many days, counted in UTC, is removed. Records of
   * laboratories have a minimum.
   */
  days: number
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /** @format date-time */
  applied_at: string | null
  last_removed: number | null
}

export interface RetentionRuleInput {
  /** A series, a summary, or another kind of data. */
  resource:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | 'activity'
    | 'sleep'
    | 'workouts'
    | 'body'
    | 'meal'
    | 'menstrual_cycle'
    | 'profile'
    | 'electrocardiogram'
    | 'workout_stream'
    | 'put_aside'
    | 'lab_report'
    | 'lab_order'
    | 'lab_message'
    | 'insurance_policy'
  /**
   * What began, ended or came longer ago than so many days, counted in UTC, is removed. Records of
   * laboratories have a minimum.
   */
  days: number
}

export interface RetentionRules {
  rules: RetentionRule[]
}

export interface RetentionRulesInput {
  /** All rules, one a resource. */
  rules: RetentionRuleInput[]
}

export interface SampleData {
  /** Number of the sample or kit. */
  sample_id: string | null
  control_number: string | null
  /** When the sample was taken. */
  date_collected: UtcTimestampWithOffset | null
  /** When the laboratory got the sample. */
  date_received: UtcTimestampWithOffset | null
  /** When the laboratory reported. */
  date_reported: UtcTimestampWithOffset | null
  performing_laboratories: Record<string, PerformingLaboratory>
  clinical_information: ClinicalInformation
}

export interface SandboxAdvance {
  /** @format date-time */
  now: string
  offset_seconds: number
  /** Steps. */
  steps: number
}

export interface SandboxClock {
  /** @format date-time */
  now: string
  offset_seconds: number
}

export interface SavedView {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  filters: OrderFilters
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface SavedViewCreate {
  /** Name. */
  name: string
  filters: OrderFilters
}

export interface SavedViewList {
  /** The items. */
  data: SavedView[]
}

export interface SavedViewUpdate {
  /** Name. */
  name?: string
  filters?: OrderFilters
}

export type ScopeRequirementUpdate = {
  /** Scopes of the provider, in its own words; null takes the demand away. */
  fitbit?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
  /** Scopes of the provider, in its own words; null takes the demand away. */
  google_fit?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
  /** Scopes of the provider, in its own words; null takes the demand away. */
  google_health?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
  /** Scopes of the provider, in its own words; null takes the demand away. */
  oura?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
  /** Scopes of the provider, in its own words; null takes the demand away. */
  strava?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
  /** Scopes of the provider, in its own words; null takes the demand away. */
  withings?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
  /** Scopes of the provider, in its own words; null takes the demand away. */
  wahoo?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
  /** Scopes of the provider, in its own words; null takes the demand away. */
  whoop_v2?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
  /** Scopes of the provider, in its own words; null takes the demand away. */
  my_fitness_pal_v2?: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
  } | null
}

export type ScopeRequirements = {
  requirements: {
    /** Scopes without which no connection is made. */
    user_must_grant: string[]
    /** Scopes that are asked for besides. */
    user_may_grant: string[]
    /**
     * Id of the team.
     * @format uuid
     */
    team_id: string
    /** Slug of the provider. */
    provider: string
  }[]
}

export interface SdkHistoricalStage {
  /**
   * When the range begins.
   * @format instant
   */
  range_start: string
  /**
   * When the range ends.
   * @format instant
   */
  range_end: string
  /** What is sent, in the words of clients. */
  backfill_type:
    | 'workouts'
    | 'activity'
    | 'sleep'
    | 'body'
    | 'workout_stream'
    | 'sleep_stream'
    | 'profile'
    | 'blood_pressure'
    | 'blood_oxygen'
    | 'glucose'
    | 'heartrate'
    | 'heartrate_variability'
    | 'weight'
    | 'fat'
    | 'meal'
    | 'water'
    | 'caffeine'
    | 'mindfulness_minutes'
    | 'calories_active'
    | 'calories_basal'
    | 'distance'
    | 'floors_climbed'
    | 'steps'
    | 'respiratory_rate'
    | 'vo2_max'
    | 'stress'
    | 'electrocardiogram'
    | 'temperature'
    | 'menstrual_cycle'
    | 'heart_rate_alert'
    | 'afib_burden'
    | 'stand_hour'
    | 'stand_duration'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'wheelchair_push'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'peak_expiratory_flow_rate'
    | 'inhaler_usage'
    | 'fall'
    | 'uv_exposure'
    | 'daylight_exposure'
    | 'handwashing'
    | 'basal_body_temperature'
    | 'heart_rate_recovery_one_minute'
}

export type SdkSyncProgress = {
  /** What was read and sent, and what came between. */
  sync_progress: {
    /** By type of data, each attempt with its states. */
    backfill_types?: Record<string, Record<string, unknown>>
    /** What the system did with the app. */
    system_events?: Record<string, unknown>[]
    /** Samples that were sent. */
    data_count?: number
  }
  /** The phone and the app. */
  device_info: {
    /** Version of the system. */
    os_version?: string | null
    /** Model of the phone. */
    model?: string | null
    /** Id of the app. */
    app_bundle?: string | null
    /** Version of the app. */
    app_version?: string | null
    /** Build of the app. */
    app_build?: string | null
  }
}

export type SdkSyncState = {
  /** The state it is in. */
  status: 'active' | 'paused' | 'error'
  /**
   * Where the history begins; null leaves it to the client.
   * @format date-time
   */
  request_start_date: string | null
  /**
   * The last moment to send; null is no end.
   * @format date-time
   */
  request_end_date: string | null
  /**
   * Data from before this day are not stored; null is no limit.
   * @format date-time
   */
  ingestion_start: string | null
  /** Whether activity is sent for each device by itself. */
  per_device_activity_ts: boolean
  /** Seconds until it ends. */
  expires_in: number
  /** How much history the team wants; null leaves it to the client. */
  pull_preferences: {
    /** Days of history. */
    historical_days_to_pull: number
    /** The same for single types of data. */
    backfill_type_overrides: Record<
      string,
      {
        /** Days of history. */
        historical_days_to_pull: number
      }
    > | null
  } | null
  /** Seconds between reports of progress. */
  reporting_interval: number | null
  /** How iOS reads; null leaves it to the client. */
  health_kit_params: {
    /** Records of a query in the background. */
    query_chunk_sizes_background: {
      /** Name of a series. */
      timeseries: number
      activity_timeseries: number
      /** The record. */
      electrocardiogram: number
      workout: number
      sleep: number
    }
    /** Records of a query while the app is in front. */
    query_chunk_sizes_foreground: {
      /** Name of a series. */
      timeseries: number
      activity_timeseries: number
      /** The record. */
      electrocardiogram: number
      workout: number
      sleep: number
    }
    workout_stream: boolean
    /** Whether the heart rate of workouts is sent. */
    workout_heart_rate: boolean
  } | null
}

export interface SdkSyncStateRequest {
  /** IANA zone of the device. */
  tzinfo: string
  /**
   * Where the history begins; null leaves it to the client.
   * @format instant
   */
  request_start_date?: string | null
  /**
   * The last moment to send; null is no end.
   * @format instant
   */
  request_end_date?: string | null
  /** Permissions that the person granted on the device. */
  granted_permissions?: string[] | null
}

export interface ServiceCentersImport {
  /** The text of a CSV file with the columns of docs/service-centers.md. */
  csv: string
}

export interface ServiceCentersReport {
  /** Nothing was kept. */
  dry_run: boolean
  /** Laboratories that the list names. */
  labs: number
  service_centers: CatalogChanges
  /** Sites of these laboratories that the list no longer has. */
  deactivated: number
}

export interface SetAsideSample {
  /** Where it comes from. */
  source: MergedSource
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** Of the whole sample. */
  value: number
  /** What of the value lies in this slot and does not count. */
  part: number
  reason: 'lower_priority_source' | 'edge_of_better_source' | 'counted_by_better_source'
  won_by: MergedSource
}

export interface SexualActivity {
  /**
   * The day or instant.
   * @format date
   */
  date: string
  /** Whether protection was used. */
  protection_used: boolean | null
}

export interface Shipment {
  /**
   * Id.
   * @format uuid
   */
  id: string
  outbound_tracking_number: string | null
  outbound_tracking_url: string | null
  inbound_tracking_number: string | null
  inbound_tracking_url: string | null
  outbound_courier: string | null
  inbound_courier: string | null
  /** For whoever reads the order. */
  notes: string | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface ShippingAddressInput {
  /** Name on the parcel or the door. */
  receiver_name: string
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line?: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** ZIP code, 12345 or 12345-6789. */
  zip: string
  /** Country, two letters. */
  country: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string
}

export interface SignInToken {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** For the client of the app: base64 of JSON. */
  sign_in_token: string
}

export type SimulationTargets = {
  final_statuses: {
    /** The state it is in. */
    status:
      | 'received.walk_in_test.ordered'
      | 'received.walk_in_test.requisition_created'
      | 'received.walk_in_test.requisition_bypassed'
      | 'completed.walk_in_test.completed'
      | 'completed.walk_in_test.corrected'
      | 'failed.walk_in_test.sample_error'
      | 'cancelled.walk_in_test.cancelled'
      | 'collecting_sample.walk_in_test.appointment_pending'
      | 'collecting_sample.walk_in_test.appointment_scheduled'
      | 'collecting_sample.walk_in_test.appointment_cancelled'
      | 'sample_with_lab.walk_in_test.partial_results'
      | 'collecting_sample.walk_in_test.redraw_available'
      | 'received.at_home_phlebotomy.ordered'
      | 'received.at_home_phlebotomy.requisition_created'
      | 'received.at_home_phlebotomy.requisition_bypassed'
      | 'completed.at_home_phlebotomy.completed'
      | 'completed.at_home_phlebotomy.corrected'
      | 'failed.at_home_phlebotomy.sample_error'
      | 'cancelled.at_home_phlebotomy.cancelled'
      | 'collecting_sample.at_home_phlebotomy.appointment_pending'
      | 'collecting_sample.at_home_phlebotomy.appointment_scheduled'
      | 'collecting_sample.at_home_phlebotomy.appointment_cancelled'
      | 'collecting_sample.at_home_phlebotomy.draw_completed'
      | 'sample_with_lab.at_home_phlebotomy.partial_results'
      | 'received.on_site_collection.ordered'
      | 'received.on_site_collection.requisition_created'
      | 'received.on_site_collection.requisition_bypassed'
      | 'completed.on_site_collection.completed'
      | 'completed.on_site_collection.corrected'
      | 'failed.on_site_collection.sample_error'
      | 'cancelled.on_site_collection.cancelled'
      | 'sample_with_lab.on_site_collection.draw_completed'
      | 'sample_with_lab.on_site_collection.partial_results'
      | 'received.testkit.ordered'
      | 'received.testkit.requisition_created'
      | 'received.testkit.requisition_bypassed'
      | 'completed.testkit.completed'
      | 'completed.testkit.corrected'
      | 'failed.testkit.sample_error'
      | 'cancelled.testkit.cancelled'
      | 'received.testkit.awaiting_registration'
      | 'received.testkit.registered'
      | 'collecting_sample.testkit.transit_customer'
      | 'collecting_sample.testkit.out_for_delivery'
      | 'collecting_sample.testkit.with_customer'
      | 'collecting_sample.testkit.transit_lab'
      | 'collecting_sample.testkit.problem_in_transit_customer'
      | 'collecting_sample.testkit.problem_in_transit_lab'
      | 'sample_with_lab.testkit.delivered_to_lab'
      | 'sample_with_lab.testkit.lab_processing_blocked'
      | 'failed.testkit.failure_to_deliver_to_customer'
      | 'failed.testkit.failure_to_deliver_to_lab'
      | 'failed.testkit.lost'
      | 'cancelled.testkit.do_not_process'
    low_level_status:
      | 'ordered'
      | 'requisition_created'
      | 'requisition_bypassed'
      | 'transit_customer'
      | 'out_for_delivery'
      | 'with_customer'
      | 'transit_lab'
      | 'delivered_to_lab'
      | 'completed'
      | 'failure_to_deliver_to_lab'
      | 'failure_to_deliver_to_customer'
      | 'problem_in_transit_lab'
      | 'problem_in_transit_customer'
      | 'sample_error'
      | 'appointment_scheduled'
      | 'appointment_cancelled'
      | 'appointment_pending'
      | 'draw_completed'
      | 'cancelled'
      | 'lost'
      | 'do_not_process'
      | 'partial_results'
      | 'awaiting_registration'
      | 'registered'
      | 'redraw_available'
      | 'corrected'
      | 'lab_processing_blocked'
    /** The statuses on the way, this one included. */
    path: (
      | 'ordered'
      | 'requisition_created'
      | 'requisition_bypassed'
      | 'transit_customer'
      | 'out_for_delivery'
      | 'with_customer'
      | 'transit_lab'
      | 'delivered_to_lab'
      | 'completed'
      | 'failure_to_deliver_to_lab'
      | 'failure_to_deliver_to_customer'
      | 'problem_in_transit_lab'
      | 'problem_in_transit_customer'
      | 'sample_error'
      | 'appointment_scheduled'
      | 'appointment_cancelled'
      | 'appointment_pending'
      | 'draw_completed'
      | 'cancelled'
      | 'lost'
      | 'do_not_process'
      | 'partial_results'
      | 'awaiting_registration'
      | 'registered'
      | 'redraw_available'
      | 'corrected'
      | 'lab_processing_blocked'
    )[]
  }[]
}

export interface Sleep {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * The calendar date at 00:00 UTC.
   * @format date-time
   * @deprecated
   */
  date: string
  /**
   * Generally the local date on which the sleep ended.
   * @format date
   */
  calendar_date: string
  /**
   * When the person went to bed.
   * @format date-time
   */
  bedtime_start: string
  /**
   * When the person got up.
   * @format date-time
   */
  bedtime_stop: string
  /** The provider's, else long from 3 hours and short below; unknown: still being recorded. */
  type: 'long_sleep' | 'short_sleep' | 'acknowledged_nap' | 'unknown'
  /** Seconds east of UTC at bedtime_stop, which tells the day. */
  timezone_offset: number | null
  /**
   * Seconds east of UTC at bedtime_start: another than timezone_offset where the clock was changed
   * in the night.
   */
  bedtime_start_offset: number | null
  /** Seconds from bedtime_start to bedtime_stop. */
  duration: number
  /** Seconds asleep: rem, light and deep together. */
  total: number
  /** Seconds; 0 when not reported. */
  awake: number
  /** Seconds; 0 when not reported. */
  light: number
  /** Seconds; 0 when not reported. */
  rem: number
  /** Seconds; 0 when not reported. */
  deep: number
  /** 1 to 100, the provider's score. */
  score: number | null
  /** 0 to 100, the provider's score of readiness or recovery. */
  recovery_readiness_score: number | null
  /** bpm */
  hr_lowest: number | null
  /** bpm */
  hr_average: number | null
  /** bpm */
  hr_resting: number | null
  /** % of the duration spent asleep. */
  efficiency: number | null
  /** Seconds until asleep. */
  latency: number | null
  /** °C from the usual. */
  temperature_delta: number | null
  /** °C */
  skin_temperature: number | null
  /** % */
  hr_dip: number | null
  /** State or territory, two letters in the United States. */
  state: 'tentative' | 'confirmed' | null
  /** ms, rmssd */
  average_hrv: number | null
  /** Breaths per minute. */
  respiratory_rate: number | null
  /**
   * Read the stream of the sleep.
   * @deprecated
   */
  sleep_stream: null
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
}

export interface SleepApneaAlertGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: SleepApneaAlertSample[]
}

export interface SleepApneaAlertGroups {
  /** By provider slug. */
  groups: Record<string, SleepApneaAlertGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface SleepApneaAlertMerged {
  /** The items. */
  data: SleepApneaAlertSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** An alert of possible sleep apnea. */
export interface SleepApneaAlertSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** An alert of possible sleep apnea. */
export interface SleepApneaAlertSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface SleepBreathingDisturbanceGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: SleepBreathingDisturbanceSample[]
}

export interface SleepBreathingDisturbanceGroups {
  /** By provider slug. */
  groups: Record<string, SleepBreathingDisturbanceGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface SleepBreathingDisturbanceMerged {
  /** The items. */
  data: SleepBreathingDisturbanceSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Breathing disturbances during a night. */
export interface SleepBreathingDisturbanceSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: 'elevated' | 'not_elevated' | null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Breathing disturbances during a night. */
export interface SleepBreathingDisturbanceSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface SleepCycle {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the sleep.
   * @format uuid
   */
  sleep_id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Beginning of the record.
   * @format date-time
   */
  session_start: string
  /**
   * End of the record.
   * @format date-time
   */
  session_end: string
  /** Seconds from session_start to the start of each segment. */
  stage_start_offset_second: number[]
  /** Seconds from session_start to the end of each segment. */
  stage_end_offset_second: number[]
  /**
   * Stage of each segment: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. As long as the
   * lists of offsets.
   */
  stage_type: number[]
  /** IANA time zone. */
  time_zone: string | null
  /** Provider slug. */
  source_provider: string
  /** What kind of thing made it. */
  source_type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
  /** Id of the app that made it. */
  source_app_id: string | null
  /**
   * Id of the device.
   * @format uuid
   */
  source_device_id: string | null
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
}

export interface SleepStagesUpload {
  /** Times spent in this stage. */
  awake_sleep_samples?: QuantitySample[] | null
  /** Times spent in this stage. */
  deep_sleep_samples?: QuantitySample[] | null
  /** Times spent in this stage. */
  light_sleep_samples?: QuantitySample[] | null
  /** Times spent in this stage. */
  rem_sleep_samples?: QuantitySample[] | null
  /** Times spent in this stage. */
  unknown_sleep_samples?: QuantitySample[] | null
  /** Times spent in this stage. */
  unspecified_sleep_samples?: QuantitySample[] | null
  /** Times spent in this stage. */
  in_bed_sleep_samples?: QuantitySample[] | null
  /** Times spent in this stage. */
  out_of_bed_sleep_samples?: QuantitySample[] | null
}

export interface SleepStream {
  hrv: HrvSample[]
  heartrate: HeartrateSample[]
  hypnogram: HypnogramSample[]
  /** Breaths a minute. */
  respiratory_rate: RespiratoryRateSample[]
}

export interface SleepUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: SleepUploadItem[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface SleepUploadItem {
  /** Id. */
  id?: string | null
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date: string
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date: string
  /** Id of the app that made it. */
  source_bundle?: string | null
  /** Model of the device that made it. */
  product_type?: string | null
  /** What kind of thing made it. */
  source_type?:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
  /** Further facts of the source, as texts by name. */
  metadata?: Record<string, string> | null
  /** bpm */
  heart_rate_maximum?: number | null
  /** bpm */
  heart_rate_minimum?: number | null
  /** bpm */
  heart_rate_mean?: number | null
  /** Mean variability of the heart rate (SDNN). Unit: ms. */
  hrv_mean_sdnn?: number | null
  /** breaths per minute */
  respiratory_rate_mean?: number | null
  /** 0 to 100 */
  score?: number | null
  /** Samples of the heart rate. */
  heart_rate?: QuantitySample[] | null
  /** Samples of the variability of the heart rate. */
  heart_rate_variability?: QuantitySample[] | null
  /** Breaths a minute. */
  respiratory_rate?: QuantitySample[] | null
  /** Samples of the temperature at the wrist. */
  wrist_temperature?: QuantitySample[] | null
  /** Stages of the sleep, one list each. */
  sleep_stages?: SleepStagesUpload
}

export interface Source {
  /** Slug of the provider. */
  provider: string
  /** What kind it is. */
  type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
  /** Id of the app that made it. */
  app_id: string | null
  /**
   * Id of the device.
   * @format uuid
   */
  device_id: string | null
  /** Slug of the sport. */
  sport: string | null
  /**
   * Id of the workout.
   * @format uuid
   */
  workout_id: string | null
  /**
   * Name.
   * @deprecated
   */
  name: string
  /**
   * Short name.
   * @deprecated
   */
  slug: string
  /**
   * Address of a mark.
   * @deprecated
   */
  logo: string
}

export interface SourceLink {
  /** Id. */
  id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
  /** What it is, in words. */
  description: string
  /** Address of a mark. */
  logo: string
  oauth_url: string | null
  /** Way of signing in; null where there is none. */
  auth_type: string | null
  /** What the person is asked for, by the name of the field in the request. */
  form_components: Record<string, unknown>
}

export interface SpecifiedPricing {
  /** Cents. */
  base_amount_minor: number
  modifiers: PricingModifier[] | null
}

export interface Sport {
  /**
   * May change; use the slug.
   * @deprecated
   */
  id: number
  /** Name. */
  name: string
  /** Short name. */
  slug: string
}

export interface StandDurationGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: StandDurationSample[]
}

export interface StandDurationGroups {
  /** By provider slug. */
  groups: Record<string, StandDurationGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface StandDurationMerged {
  /** The items. */
  data: StandDurationSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Time spent standing. */
export interface StandDurationSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'min'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Time spent standing. */
export interface StandDurationSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'min'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface StandHourGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: StandHourSample[]
}

export interface StandHourGroups {
  /** By provider slug. */
  groups: Record<string, StandHourGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface StandHourMerged {
  /** The items. */
  data: StandHourSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** One sample an hour: did the person stand? */
export interface StandHourSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: 'stood' | 'idle'
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** One sample an hour: did the person stand? */
export interface StandHourSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface StepsGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: StepsSample[]
}

export interface StepsGroups {
  /** By provider slug. */
  groups: Record<string, StepsGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface StepsMerged {
  /** The items. */
  data: StepsSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Steps. */
export interface StepsSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Steps. */
export interface StepsSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface StoreSize {
  bytes: number
  tables: TableSize[]
}

export interface StoredInsurance {
  /**
   * As `health_insurance_id` of orders names it.
   * @format uuid
   */
  id: string
  /** Number of the insured at the payor. */
  member_id: string
  /** Code of the payor, as the search answers it. */
  payor_code: string
  /** What the patient is to the policyholder. */
  relationship: 'Self' | 'Spouse' | 'Other'
  /** Who is covered. */
  insured: InsuredPerson
  /** The payor. */
  company: CompanyDetails
  /** Number of the group that is insured together. */
  group_id: string | null
  /** Who pays what the payor does not; needed unless the patient is the policyholder. */
  guarantor: GuarantorDetails | null
  /** Billed first: of several the newest. */
  is_primary: boolean
  /** The newest primary one, which an order to come would be billed to. */
  is_billed: boolean
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
}

export interface StressLevelGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: StressLevelSample[]
}

export interface StressLevelGroups {
  /** By provider slug. */
  groups: Record<string, StressLevelGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface StressLevelMerged {
  /** The items. */
  data: StressLevelSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Stress as the provider scores it. */
export interface StressLevelSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: '%'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Stress as the provider scores it. */
export interface StressLevelSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: '%'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface StuckOrder {
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string
  reason: 'dispatch_failed' | 'person_deleted'
  problem: 'lab_not_connected' | 'not_reached' | 'sample_id_taken' | null
  /** What is wrong, in words. */
  message: string
  /** @format date-time */
  since: string
  /** Slug of the laboratory. */
  lab: string
  /** How the sample is taken. */
  method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  low_level_status:
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
  /** The number by which the laboratory knows the order. */
  sample_id: string | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
}

export interface StuckOrderList {
  /** The items. */
  data: StuckOrder[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface Success {
  /** Whether it was done. */
  success: boolean
}

export interface SummaryReport {
  resource: string
  /** New summaries. */
  imported: number
  /** Summaries that a newer version replaced. */
  updated: number
  /** Summaries that were there already. */
  unchanged: number
  /** Outside the user's ingestion bounds. */
  out_of_bounds: number
  /** Older summaries of the same time that were taken back. */
  replaced: number
}

export interface TableSize {
  /** Name. */
  name: string
  bytes: number
  /** About so many, of PostgreSQL by its statistics. */
  rows: number
}

export interface Team {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /**
   * When it was made.
   * @format date-time
   */
  created_on: string
  /** Region of the team. */
  region: 'us' | 'eu'
  /** Id of the team in a system of the operator. */
  integration_team_id: string | null
  environments: ('sandbox' | 'production')[]
  /** Settings of the sandbox. */
  sandbox: TeamEnvironment | null
  /** Settings of production. */
  production: TeamEnvironment | null
}

export interface TeamApiKey {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** What the key is for. */
  label: string
  /** In full from create, masked from list. */
  value: string
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string | null
  access: 'read' | 'write'
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * From then on the key is refused; null is never.
   * @format date-time
   */
  expires_at: string | null
  /**
   * To the minute; null for a key that was not used yet.
   * @format date-time
   */
  last_used_at: string | null
}

export interface TeamCustomCredential {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Id of the app with the provider. */
  client_id: string | null
  /** SHA-256 of the secret, in hexadecimal. */
  client_secret_hash: string | null
  /** Provider slug. */
  source: string
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /** Whatever the team wants to remember of the app. */
  details: Record<string, unknown> | null
  /** Always null. */
  app_url: string | null
  /** Address to come back to instead of that of this server; both steps use it. */
  redirect_url_override: string | null
}

export interface TeamCustomCredentialUpdate {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /** Slug of the provider. */
  provider:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'strava'
    | 'wahoo'
    | 'withings'
    | 'ihealth'
    | 'google_fit'
    | 'omron'
    | 'dexcom_v3'
    | 'polar'
    | 'cronometer'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
  /** Id of the app with the provider. */
  client_id?: string | null
  /** Secret of the app; it is never shown again. */
  client_secret?: string | null
  /** Whatever the team wants to remember of the app. */
  details?: Record<string, unknown> | null
  /** Address to come back to instead of that of this server; both steps use it. */
  redirect_url_override?: string | null
}

export type TeamEnvironment = {
  /** Whether patients get text messages. */
  lab_tests_patient_sms_communication_enabled: boolean
  /** Whether patients get e-mails. */
  lab_tests_patient_email_communication_enabled: boolean
  /**
   * Who is told of critical results.
   * @format email
   */
  critical_result_notification_email: string | null
  /** How the team shows itself to patients. */
  brand_information: {
    /** Name of the company. */
    company_name: string
    /** Website of the company. */
    company_website?: string | null
    /** Where patients write to. */
    support_email?: string | null
    /** How else patients reach the company. */
    support_contact?: string | null
    /** Address of the company. */
    company_address?: string | null
    /** Color of the company. */
    brand_color?: string | null
  } | null
  /**
   * Address of the logo.
   * @format uri
   */
  logo_url: string | null
  /**
   * Where link sessions may lead: addresses with the same scheme and host, and the same path or one
   * below. null is anywhere.
   */
  link_redirect_urls: string[] | null
  /** Refuse a second connection of one account. */
  reject_duplicate_connection: boolean
  /** Keep the samples of devices apart. */
  sdk_per_device_activity_timeseries: boolean
  /** Send events of partial results. */
  partial_webhooks_enabled: boolean
  /** Order for people under 18. */
  minor_ordering_enabled: boolean
  /** New lab tests are active at once; null is yes in the sandbox only. */
  lab_test_auto_approve: boolean | null
  /** Orders through the installation's physicians need the patient's consents. */
  consents_required: boolean
  /** Results that the laboratory owes are asked for again by a new order. */
  redraws_enabled: boolean
  /** Appointments can be booked, moved and cancelled. */
  appointment_scheduling_enabled: boolean
  /** Appointments can be booked before the laboratory has the requisition. */
  early_appointment_booking_enabled: boolean
  /** Results that match no order are put before the team instead of the operators. */
  match_review_enabled: boolean
  /** Uploads of lab reports can ask for a reviewer. */
  lab_report_review_enabled: boolean
  /** History is sent as data events too. */
  push_historical_data: boolean
  /** Only events whose type begins so; null is all. */
  event_type_prefixes: string[] | null
}

/** Whose it is; null of what belongs to no team. */
export interface TeamOfRow {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** Name. */
  name: string
  /** Environment of the team. */
  env: 'sandbox' | 'production'
  /** @format uuid */
  organization_id: string
}

export interface TeamSourcePriority {
  /** The type of data that the priority is of. */
  data_type: 'workouts' | 'activity' | 'sleep' | 'body' | 'timeseries'
  /** Provider slug. */
  slug: string
  /** Name. */
  name: string
  /** Number of the provider. */
  source_id: number
  /** The larger wins; 0 is the default. */
  priority: number
  /** null: the whole data type. */
  resource:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | null
  /** null: every type. */
  source_type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
}

export interface TeamSourcePriorityChange {
  /** The type of data that the priority is of. */
  data_type: 'workouts' | 'activity' | 'sleep' | 'body' | 'timeseries'
  /** Provider slug. */
  slug: string
  /** The larger wins; 0 is the default. */
  priority: number
  /** A series, with data_type `timeseries`; otherwise the whole data type. */
  resource?:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | null
  /** null: every type. */
  source_type?:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
}

export interface TestkitOrder {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Id of the lab test.
   * @format uuid
   */
  lab_test_id: string
  /** Where the kit is sent. */
  shipping_details: ShippingAddressInput
  /** The team's own words, which come back with the order. */
  passthrough?: string | null
  /**
   * Id of the lab account; null lets Salus choose.
   * @format uuid
   */
  lab_account_id?: string | null
}

export interface TestkitRegistration {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string | null
  /** Number of the sample or kit. */
  sample_id: string
  /** The patient. */
  patient_details: PatientDetailsInput
  /** Where the patient lives. */
  patient_address: PatientAddressInput
  /** Who orders; null when the lab account or the network has one. */
  physician?: PhysicianCreateRequestBase | null
  /** Insurance that comes with the order; stored insurance is better. */
  health_insurance?: HealthInsuranceCreateRequest | null
  /** What the patient agreed to. */
  consents?: Consent[]
}

export interface TextSample {
  /** The text. */
  value: string
  /** Unit of the value. */
  unit: string
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date: string
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string
  /** Id. */
  id?: string | null
  /** App that made it. */
  source_bundle?: string | null
  /** Device model. */
  product_type?: string | null
  /** What kind it is. */
  type?:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
  /** Further facts of the source, as texts by name. */
  metadata?: Record<string, string> | null
}

export interface TextUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: TextSample[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface TimeSlot {
  /** Null when the slot is full. */
  booking_key: string | null
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The end of the key.
   * @format date-time
   */
  expires_at: string | null
  /** US cents. */
  price: number
  is_priority: boolean
  num_appointments_available: number
}

export interface TokenPair {
  /** Send it as `Authorization: Bearer`. */
  access_token: string
  /** Gives the next pair of tokens, once. */
  refresh_token: string
  /** Seconds until it ends. */
  expires_in: number
}

export interface TokenRequest {
  /** `urn:ietf:params:oauth:grant-type:token-exchange` or `refresh_token`. */
  grant_type: string
  /** `urn:salus:sign-in-token`. */
  subject_token_type?: string
  /** The `user_token` of the sign-in token. */
  subject_token?: string
  /** Gives the next pair of tokens, once. */
  refresh_token?: string
}

export interface TrendPeriod {
  /**
   * First day of the period.
   * @format date
   */
  start_date: string
  count: number
  min: number
  max: number
  mean: number
  last: number
}

export interface TrendPoint {
  /** Where it comes from. */
  source: 'order' | 'lab_report'
  /**
   * Id of the order.
   * @format uuid
   */
  order_id: string | null
  /** @format uuid */
  parsing_job_id: string | null
  /**
   * The day or instant.
   * @format date
   */
  date: string
  loinc_code: string
  /** In the unit of the trend. */
  value: number
  comparator: '<' | '>' | '<=' | '>=' | null
  /** As reported. */
  original_value: string
  original_unit: string | null
  /** Lower end of the range. */
  min_range_value: number | null
  /** Upper end of the range. */
  max_range_value: number | null
  /** What the results say, taken as a whole. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown'
}

export interface USAddress {
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** As `zip`. */
  zip_code: string
  /**
   * Unit of the value.
   * @deprecated
   */
  unit: string | null
  /** How to get in. */
  access_notes: string | null
}

export interface USAddressInput {
  /** Street and number. */
  first_line: string
  /** Further line of the address. */
  second_line?: string | null
  /** City. */
  city: string
  /** State or territory, two letters in the United States. */
  state: string
  /** As `zip`. */
  zip_code: string
  /**
   * Use `second_line`.
   * @deprecated
   */
  unit?: string | null
  /** How to get in. */
  access_notes?: string | null
}

export interface UnmatchedResult {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** The state it is in. */
  status: 'matched' | 'pending_customer_review' | 'pending_ops_review' | 'resolved'
  decision_code:
    | 'match_sample_id'
    | 'match_completed'
    | 'match_cancelled'
    | 'wrong_collection'
    | 'wrong_lab'
    | 'multiple_demo_match'
    | 'match_sample_id_mismatch_demo'
    | 'match_demo'
    | 'no_match'
  sub_reason_codes: 'lab_account_mismatch'[]
  /** Why it is held, for people. */
  reason: string
  patient: MatchReviewPatient | null
  /** The laboratory. */
  lab: MatchReviewLab
  markers: MatchReviewMarker[]
  /** The number by which the laboratory knows the order. */
  sample_id: string | null
  /** The laboratory's own number. */
  specimen_number: string | null
  /** @format date-time */
  collected_at: string | null
  /** What the results say, taken as a whole. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  /** Whether more results come. */
  result_status: 'final' | 'partial' | null
  /** For whoever reads the decision. */
  note: string | null
  resolution_action: 'accept' | 'reject' | 'unsure' | null
  /** @format uuid */
  resolved_user_id: string | null
  /** @format uuid */
  resolved_order_id: string | null
  allowed_actions: ('accept' | 'reject' | 'unsure')[]
  candidate_groups: MatchReviewCandidateGroup[]
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /** @format date-time */
  reviewed_at: string | null
}

export interface UnmatchedResultList {
  /** The items. */
  data: UnmatchedResult[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
  /** How many there are on all pages. */
  total: number
}

export interface UnmatchedResultTestAccepted {
  /**
   * Id of the test.
   * @format uuid
   */
  run_id: string
  /** The state it is in. */
  status: 'queued' | 'running' | 'succeeded' | 'failed'
}

export interface UnmatchedResultTestCase {
  /** Which case to play. */
  case:
    | 'match_completed'
    | 'match_cancelled'
    | 'wrong_collection'
    | 'wrong_lab'
    | 'multiple_demo_match'
    | 'match_sample_id_mismatch_demo'
    | 'match_demo'
    | 'no_match'
  order_roles: string[]
  required_statuses: Record<
    string,
    | 'ordered'
    | 'requisition_created'
    | 'requisition_bypassed'
    | 'transit_customer'
    | 'out_for_delivery'
    | 'with_customer'
    | 'transit_lab'
    | 'delivered_to_lab'
    | 'completed'
    | 'failure_to_deliver_to_lab'
    | 'failure_to_deliver_to_customer'
    | 'problem_in_transit_lab'
    | 'problem_in_transit_customer'
    | 'sample_error'
    | 'appointment_scheduled'
    | 'appointment_cancelled'
    | 'appointment_pending'
    | 'draw_completed'
    | 'cancelled'
    | 'lost'
    | 'do_not_process'
    | 'partial_results'
    | 'awaiting_registration'
    | 'registered'
    | 'redraw_available'
    | 'corrected'
    | 'lab_processing_blocked'
  >
  lab_constraints: string[]
}

export interface UnmatchedResultTestCaseList {
  /** The items. */
  data: UnmatchedResultTestCase[]
}

export interface UnmatchedResultTestCreate {
  /** Which case to play. */
  case:
    | 'match_completed'
    | 'match_cancelled'
    | 'wrong_collection'
    | 'wrong_lab'
    | 'multiple_demo_match'
    | 'match_sample_id_mismatch_demo'
    | 'match_demo'
    | 'no_match'
  /** `managed`: the orders are made; `provided`: they are named in `orders`. */
  order_source: 'managed' | 'provided'
  /** Ids of the orders of the case, by their part in it. */
  orders?: Record<string, string | null> | null
  /** Whether more results come. */
  result_status?: 'final' | 'partial'
  /** What the results say, taken as a whole. */
  interpretation?: 'normal' | 'abnormal' | 'critical' | 'unknown'
  /**
   * Id of the lab test.
   * @format uuid
   */
  lab_test_id?: string | null
  /**
   * The lab test that the wrong laboratory did.
   * @format uuid
   */
  wrong_lab_test_id?: string | null
}

export type UnmatchedResultTestRun = {
  /**
   * Id of the test.
   * @format uuid
   */
  run_id: string
  /** The state it is in. */
  status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Whether this is history or news; only news raises events of single days. */
  stage:
    | 'queued'
    | 'validating'
    | 'selecting_configuration'
    | 'creating_orders'
    | 'transitioning_orders'
    | 'writing_result'
    | 'matching_result'
    | 'verifying_review'
    | 'succeeded'
    | 'failed'
  /** Which case to play. */
  case:
    | 'match_completed'
    | 'match_cancelled'
    | 'wrong_collection'
    | 'wrong_lab'
    | 'multiple_demo_match'
    | 'match_sample_id_mismatch_demo'
    | 'match_demo'
    | 'no_match'
  /** Orders made for the test, or those of the body. */
  order_source: 'managed' | 'provided'
  /** Whether more results come. */
  result_status: 'final' | 'partial'
  /** Orders. */
  orders: Record<
    string,
    {
      /**
       * Id of the order.
       * @format uuid
       */
      order_id: string
      /**
       * Id of the person.
       * @format uuid
       */
      user_id: string
      /**
       * Id of the order transaction.
       * @format uuid
       */
      order_transaction_id: string
    }
  >
  /**
   * Id of the unmatched result.
   * @format uuid
   */
  raw_result_id: string | null
  /** What went wrong; null when nothing did. */
  error: {
    /** The link code. */
    code: string
    /** What happened, in words. */
    message: string
  } | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
  /**
   * When it began.
   * @format date-time
   */
  started_at: string | null
  /** @format date-time */
  completed_at: string | null
}

/** Results that are not in the reading, because it is not clear what they say. */
export interface UnreadRegion {
  /** From 1. */
  page: number
  /** What the results stand in. */
  kind:
    | 'cumulative_table'
    | 'transposed_table'
    | 'drug_screen'
    | 'allergy_panel'
    | 'antibiogram'
    | 'genotypes'
    | 'narrative'
}

export interface UnspecifiedPricing {
  unspecified: 'refer_to_contract' | 'price_unavailable'
}

export type UploadResult = {
  /** Whether it was done. */
  success: boolean
  /** Samples and summaries that were not there. */
  inserted: number
  /** Samples and summaries whose content was replaced. */
  updated: number
  /** Samples and summaries that were there already. */
  unchanged: number
  /** Samples and summaries outside the user's ingestion bounds; dropped. */
  out_of_bounds: number
  /** Items that could not be stored; kept in quarantine. */
  put_aside: number
  /** The first of the quarantined items. */
  problems: {
    /** Table whose times are meant. */
    index: number
    reason: string
  }[]
}

export interface UsedSample {
  /** Where it comes from. */
  source: MergedSource
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** Of the whole sample. */
  value: number
  /** What of the value counts in this slot. */
  part: number
}

export interface User {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /** The team's own id of the person. */
  client_user_id: string
  /**
   * When it was made.
   * @format date-time
   */
  created_on: string
  /** Connections of the person. */
  connected_sources: ConnectedSource[]
  /** Zone of days where data name none; null when unknown. */
  fallback_time_zone: FallbackTimeZone | null
  /** Birth date where data name none; null when unknown. */
  fallback_birth_date: FallbackBirthDate | null
  /**
   * Data from before this day are not stored; null is no limit.
   * @format date
   */
  ingestion_start: string | null
  /**
   * Data from after this day are not stored; null is no limit.
   * @format date
   */
  ingestion_end: string | null
}

export interface UserCreate {
  /** The team's own id of the person, unique within the environment. No personal data. */
  client_user_id: string
  /**
   * Zone of days where data name none; null when unknown.
   * @format iana-time-zone
   */
  fallback_time_zone?: string | null
  /**
   * Birth date where data name none; null when unknown.
   * @format date
   */
  fallback_birth_date?: string | null
  /**
   * Data from before this day are not stored; null is no limit.
   * @format date
   */
  ingestion_start?: string | null
  /**
   * Data from after this day are not stored; null is no limit.
   * @format date
   */
  ingestion_end?: string | null
}

export type UserInfo = {
  /** Given name. */
  first_name: string
  /** Family name. */
  last_name: string
  /**
   * E-mail address.
   * @format email
   */
  email: string
  /** Telephone number; ten digits count as one of the United States. */
  phone_number: string
  /** As laboratories ask for it. */
  gender: string
  /**
   * Birth date, YYYY-MM-DD.
   * @format date
   */
  dob: string
  /** Postal address. */
  address: {
    /** Street and number. */
    first_line: string
    /** Further line of the address. */
    second_line?: string | null
    /** Country, two letters. */
    country: string
    /** ZIP code, 12345 or 12345-6789. */
    zip: string
    /** City. */
    city: string
    /** State or territory, two letters in the United States. */
    state: string
    /** How to get in. */
    access_notes?: string | null
  }
  /** Who decides for the person; needed for people under 18. */
  medical_proxy?: {
    /** Given name. */
    first_name: string
    /** Family name. */
    last_name: string
    /** Postal address. */
    address: {
      /** Street and number. */
      first_line: string
      /** Further line of the address. */
      second_line?: string | null
      /** City. */
      city: string
      /** State or territory, two letters in the United States. */
      state: string
      /** Country, two letters. */
      country: string
      /** ZIP code, 12345 or 12345-6789. */
      zip?: string
      /** As `zip`. */
      zip_code?: string
      /** How to get in. */
      access_notes?: string | null
    }
    /** Telephone number; ten digits count as one of the United States. */
    phone_number: string
    /** E-mail address. */
    email?: string | null
    /** Yearly income of the household in US dollars. */
    household_income?: number | null
    /** People in the household. */
    household_size?: number | null
  } | null
  /** For laboratories that ask. */
  race?:
    | 'african_american_or_black'
    | 'asian'
    | 'indigenous_native_american_alaska_native'
    | 'other'
    | 'pacific_islander_or_hawaiian'
    | 'white_caucasian'
    | null
  /** For laboratories that ask. */
  ethnicity?: 'hispanic' | 'non_hispanic' | 'ashkenazi_jewish' | 'other' | null
  /** For laboratories that ask. */
  sexual_orientation?:
    | 'lesbian_gay_or_homosexual'
    | 'heterosexual_or_straight'
    | 'bisexual'
    | 'dont_know'
    | 'other'
    | null
  /** For laboratories that ask. */
  gender_identity?:
    | 'male'
    | 'female'
    | 'female_to_male_ftm_transgender_male_trans_man'
    | 'male_to_female_mtf_transgender_female_trans_woman'
    | 'genderqueer'
    | 'other'
    | null
}

export interface UserList {
  /** People of the page. */
  users: User[]
  /** How many there are on all pages. */
  total: number
  /** How many were left out from the beginning. */
  offset: number
  /** How many a page holds at most. */
  limit: number
}

export type UserMetrics = {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id: string
  /** Connections of all people. */
  number_of_connected_sources: number
  /** People. */
  number_of_users: number
  /** Connections that need the person again. */
  number_of_errored_connected_sources: number
  /** Laboratory orders. */
  number_of_ordered_tests: number
  number_of_connected_sources_by_week: {
    /**
     * The day or instant.
     * @format date-time
     */
    date: string
    /** New in that week. */
    value: number
    /** All until the end of that week. */
    all: number
  }[]
}

export interface UserRefreshSuccessResponse {
  /** Whether it was done. */
  success: boolean
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  refreshed_sources: string[]
  in_progress_sources: string[]
  failed_sources: string[]
}

export interface UserSearch {
  /**
   * Parts of a client user id, a name or an e-mail address, in any order and case, or the beginning
   * of a user id. Nothing: everybody.
   */
  query?: string | null
  /** Only people with a connection to it. */
  provider?:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | null
  /** Only people with a connection in that state. */
  connection_status?: 'connected' | 'error' | 'paused' | null
  /** How many a page holds at most. */
  limit?: number
  /** Asks for the next page; null on the last one. */
  next_cursor?: string | null
}

export interface UserSourcePriorities {
  /** Which sources count first. */
  source_priorities: UserSourcePriority[]
}

export interface UserSourcePrioritiesInput {
  /** Which sources count first. */
  source_priorities: UserSourcePriorityInput[]
}

export interface UserSourcePriority {
  /** A series or a data type; null: everything. */
  resource:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | 'workouts'
    | 'activity'
    | 'sleep'
    | 'body'
    | 'timeseries'
    | null
  /** Provider slug. */
  provider: string
  /** null: every type. */
  source_type:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
  /** Id of the app that made it. */
  app_id: string | null
  /** The larger wins; 0 is the default. */
  priority: number
}

export interface UserSourcePriorityInput {
  /** A series or a data type; null: everything. */
  resource?:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | 'workouts'
    | 'activity'
    | 'sleep'
    | 'body'
    | 'timeseries'
    | null
  /** Provider slug. */
  provider: string
  /** null: every type. */
  source_type?:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
  /** null: every app. */
  app_id?: string | null
  /** The larger wins; 0 is the default. */
  priority: number
}

export interface UserUpdate {
  /** The team's own id of the person, unique within the environment. No personal data. */
  client_user_id?: string | null
  /**
   * Zone of days where data name none; null when unknown.
   * @format iana-time-zone
   */
  fallback_time_zone?: string | null
  /**
   * Birth date where data name none; null when unknown.
   * @format date
   */
  fallback_birth_date?: string | null
  /**
   * Data from before this day are not stored; null is no limit.
   * @format date
   */
  ingestion_start?: string | null
  /**
   * Data from after this day are not stored; null is no limit.
   * @format date
   */
  ingestion_end?: string | null
}

export interface UtcTimestampWithOffset {
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /** Seconds east of UTC. */
  timezone_offset: number
}

export interface UvExposureGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: UvExposureSample[]
}

export interface UvExposureGroups {
  /** By provider slug. */
  groups: Record<string, UvExposureGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface UvExposureMerged {
  /** The items. */
  data: UvExposureSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Ultraviolet index. */
export interface UvExposureSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'index'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Ultraviolet index. */
export interface UvExposureSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'index'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface Vo2MaxGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: Vo2MaxSample[]
}

export interface Vo2MaxGroups {
  /** By provider slug. */
  groups: Record<string, Vo2MaxGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface Vo2MaxMerged {
  /** The items. */
  data: Vo2MaxSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Largest oxygen uptake. */
export interface Vo2MaxSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'mL/kg/min'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Largest oxygen uptake. */
export interface Vo2MaxSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'mL/kg/min'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface VoltageData {
  /** Milliseconds from the beginning, one for each voltage. */
  session_start_offset_millisecond: number[]
  /** Voltages of lead I in mV. */
  lead1: (number | null)[]
}

export interface WaistCircumferenceGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: WaistCircumferenceSample[]
}

export interface WaistCircumferenceGroups {
  /** By provider slug. */
  groups: Record<string, WaistCircumferenceGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WaistCircumferenceMerged {
  /** The items. */
  data: WaistCircumferenceSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Waist circumference. */
export interface WaistCircumferenceSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'cm'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Waist circumference. */
export interface WaistCircumferenceSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'cm'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface WaterGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: WaterSample[]
}

export interface WaterGroups {
  /** By provider slug. */
  groups: Record<string, WaterGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WaterMerged {
  /** The items. */
  data: WaterSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Water taken in. */
export interface WaterSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'ml'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Water taken in. */
export interface WaterSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'ml'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface Webhook {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /** What it is, in words. */
  description: string | null
  rate_limit: number | null
  /** Address that events are sent to. */
  url: string
  /** Gets no events. */
  disabled: boolean
  disabled_reason: 'manual' | 'gone' | 'failing' | null
  filter_types: string[] | null
  /**
   * When it was made.
   * @format date-time
   */
  created_at: string
  /**
   * When it was changed last.
   * @format date-time
   */
  updated_at: string
}

export interface WebhookAttempt {
  /** Id of the event. */
  event_id: string
  /** Type of the event. */
  event_type: string
  /**
   * Id of the webhook.
   * @format uuid
   */
  webhook_id: string
  number: number
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /** The state it is in. */
  status: 'succeeded' | 'failed'
  response_status_code: number | null
  /** Why there was no answer. */
  error: 'timeout' | 'refused_address' | 'dns' | 'connection' | 'tls' | 'invalid_response' | null
  duration_ms: number
  /** The first 4 KiB. */
  response_body: string
}

export interface WebhookAttemptList {
  /** The items. */
  data: WebhookAttempt[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WebhookCreate {
  /** https, to a public address. */
  url: string
  /** What it is, in words. */
  description?: string | null
  /** Messages a second. */
  rate_limit?: number | null
  /** Gets no events. */
  disabled?: boolean
  /** Event types, exact or with a trailing *; null or empty is all. */
  filter_types?: string[] | null
  /** whsec_ and base64. */
  secret?: string | null
}

export interface WebhookDelivery {
  /**
   * Id of the webhook.
   * @format uuid
   */
  webhook_id: string
  /** The state it is in. */
  status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  attempts: number
  /** @format date-time */
  next_attempt_at: string | null
}

export interface WebhookHeaders {
  /** Headers by name. */
  headers: Record<string, string>
  /** Names of all of them. */
  sensitive: string[]
}

export interface WebhookList {
  /** The items. */
  data: Webhook[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WebhookPortal {
  /** The pages of webhooks in the console. */
  url: string
}

export interface WebhookRecovery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  since: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  until?: string | null
}

export interface WebhookSecret {
  /** The secret, beginning with whsec_; null makes a new one. */
  key: string
}

export interface WebhookStatus {
  /**
   * Id of the webhook.
   * @format uuid
   */
  webhook_id: string
  /** Messages that were never attempted yet. */
  pending: number
  /** @format date-time */
  oldest_pending_at: string | null
  /** Messages that failed and will be tried again. */
  retrying: number
  /** @format date-time */
  next_retry_at: string | null
  /** Attempts. */
  succeeded: number
  /** Attempts. */
  failed: number
  /** @format date-time */
  last_attempt_at: string | null
  /** Since the last success. */
  failures: number
  /** @format date-time */
  last_failure_at: string | null
  /** @format date-time */
  failing_since: string | null
  /** @format date-time */
  disabled_at: string | null
  /**
   * Unless something succeeds before.
   * @format date-time
   */
  will_be_disabled_at: string | null
  /** Milliseconds. */
  duration_p50_ms: number | null
  /** Milliseconds. */
  duration_p95_ms: number | null
  /** Milliseconds. */
  lag_p50_ms: number | null
  /** Milliseconds. */
  lag_p95_ms: number | null
}

/** Times are of the newest 500 attempts at each; lag is from the event to its first attempt. */
export interface WebhookStatusList {
  /** @format date-time */
  since: string
  /** The items. */
  data: WebhookStatus[]
}

export interface WebhookUpdate {
  /** https, to a public address. */
  url?: string
  /** What it is, in words. */
  description?: string | null
  /** Messages a second. */
  rate_limit?: number | null
  /** Gets no events. */
  disabled?: boolean
  /** Event types, exact or with a trailing *; null or empty is all. */
  filter_types?: string[] | null
}

export interface WheelchairPushGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: WheelchairPushSample[]
}

export interface WheelchairPushGroups {
  /** By provider slug. */
  groups: Record<string, WheelchairPushGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WheelchairPushMerged {
  /** The items. */
  data: WheelchairPushSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Pushes of a wheelchair. */
export interface WheelchairPushSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Pushes of a wheelchair. */
export interface WheelchairPushSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface Workout {
  /**
   * Id.
   * @format uuid
   */
  id: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** Title. */
  title: string | null
  /** Seconds east of UTC where the person was. */
  timezone_offset: number | null
  /** bpm */
  average_hr: number | null
  /** bpm */
  max_hr: number | null
  /** Distance. Unit: m. */
  distance: number | null
  /**
   * Generally the local date of the start.
   * @format date
   */
  calendar_date: string
  /**
   * Beginning of the workout.
   * @format date-time
   */
  time_start: string
  /**
   * End of the workout.
   * @format date-time
   */
  time_end: string
  /** kcal */
  calories: number | null
  /** Slug of the sport. */
  sport: Sport
  /**
   * Six items: seconds below 50, in 50 to 60, 60 to 70, 70 to 80, 80 to 90 and from 90 % of the
   * maximum heart rate.
   */
  hr_zones: number[] | null
  /** Seconds. */
  moving_time: number | null
  /** m */
  total_elevation_gain: number | null
  /** m */
  elev_high: number | null
  /** m */
  elev_low: number | null
  /** m/s */
  average_speed: number | null
  /** m/s */
  max_speed: number | null
  /** W */
  average_watts: number | null
  /** W, the average when a power meter measured it. */
  device_watts: number | null
  /** W */
  max_watts: number | null
  /** W */
  weighted_average_watts: number | null
  /** Steps. */
  steps: number | null
  /** The way, in points. */
  map: WorkoutMap | null
  /** The provider's id of the workout. */
  provider_id: string
  /** Where it comes from. */
  source: Source
  /**
   * When it was first received.
   * @format date-time
   */
  created_at: string
  /**
   * When its last change was received.
   * @format date-time
   */
  updated_at: string
}

export interface WorkoutDistanceGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: WorkoutDistanceSample[]
}

export interface WorkoutDistanceGroups {
  /** By provider slug. */
  groups: Record<string, WorkoutDistanceGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WorkoutDistanceMerged {
  /** The items. */
  data: WorkoutDistanceSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Distance within one workout. */
export interface WorkoutDistanceSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'm'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Distance within one workout. */
export interface WorkoutDistanceSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'm'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface WorkoutDurationGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: WorkoutDurationSample[]
}

export interface WorkoutDurationGroups {
  /** By provider slug. */
  groups: Record<string, WorkoutDurationGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WorkoutDurationMerged {
  /** The items. */
  data: WorkoutDurationSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Time of exercise. */
export interface WorkoutDurationSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'min'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
  intensity: 'low' | 'medium' | 'high' | null
}

/** Time of exercise. */
export interface WorkoutDurationSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'min'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface WorkoutMap {
  /** Encoded polyline of the whole way. */
  polyline: string | null
  /** Encoded polyline with fewer points. */
  summary_polyline: string | null
}

export interface WorkoutStream {
  /** Unix seconds. */
  time: number[]
  /** Revolutions or steps per minute; empty when never recorded. */
  cadence: (number | null)[]
  /** m; empty when never recorded. */
  altitude: (number | null)[]
  /** m/s; empty when never recorded. */
  velocity_smooth: (number | null)[]
  /** bpm; empty when never recorded. */
  heartrate: (number | null)[]
  /** Degrees; empty when never recorded. */
  lat: (number | null)[]
  /** Degrees; empty when never recorded. */
  lng: (number | null)[]
  /** m since the start; empty when never recorded. */
  distance: (number | null)[]
  /** W; empty when never recorded. */
  power: (number | null)[]
  /** Resistance, without a unit; empty when never recorded. */
  resistance: (number | null)[]
  /** °C; empty when never recorded. */
  temperature: (number | null)[]
}

export interface WorkoutStreamUpload {
  /** Lists of values by the name of what was measured. */
  components: Record<string, BulkSample[]>
}

export interface WorkoutSwimmingStrokeGroup {
  /** Where it comes from. */
  source: Source
  /** The items. */
  data: WorkoutSwimmingStrokeSample[]
}

export interface WorkoutSwimmingStrokeGroups {
  /** By provider slug. */
  groups: Record<string, WorkoutSwimmingStrokeGroup[]>
  /**
   * As `next_cursor`.
   * @deprecated
   */
  next: string | null
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

export interface WorkoutSwimmingStrokeMerged {
  /** The items. */
  data: WorkoutSwimmingStrokeSlot[]
  /** Asks for the next page; null on the last one. */
  next_cursor: string | null
}

/** Swimming strokes within one workout. */
export interface WorkoutSwimmingStrokeSample {
  /**
   * Id.
   * @deprecated
   */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  /** What kind it is. */
  type: null
  /** Unit of the value. */
  unit: 'count'
  /**
   * As `start`.
   * @format date-time
   */
  timestamp: string
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /** In the unit beside it. */
  value: number
}

/** Swimming strokes within one workout. */
export interface WorkoutSwimmingStrokeSlot {
  /**
   * Beginning, UTC.
   * @format date-time
   */
  start: string
  /**
   * End, UTC.
   * @format date-time
   */
  end: string
  /**
   * The day where the person was, YYYY-MM-DD.
   * @format date
   */
  calendar_date: string
  /** Seconds east of UTC. */
  timezone_offset: number
  /** Samples of each type are merged alone. */
  type: string | null
  /** The sum, or the mean of readings. */
  value: number
  /** Unit of the value. */
  unit: 'count'
  /** Smallest reading; null for a sum. */
  min: number | null
  /** Largest reading; null for a sum. */
  max: number | null
  /** Samples that take part. */
  count: number
  /** The best first, fifty at most. */
  sources: MergedSlotSource[]
  /** Samples that count. */
  used: UsedSample[] | null
  /** Samples that do not count, because a better source tells of the same time. */
  set_aside: SetAsideSample[] | null
}

export interface WorkoutUpload {
  /** Whether this is history or news; only news raises events of single days. */
  stage: 'historical' | 'daily'
  /** Slug of the provider. */
  provider:
    | 'freestyle_libre_ble'
    | 'apple_health_kit'
    | 'manual'
    | 'beurer_ble'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'health_connect'
    | 'samsung_health'
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date?: string | null
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date?: string | null
  /** IANA zone of the device. */
  time_zone?: string | null
  /** The items. */
  data: WorkoutUploadItem[]
  /** The last part of a history, which ends it. */
  is_final_chunk?: boolean | null
}

export interface WorkoutUploadItem {
  /** Id. */
  id?: string | null
  /**
   * Beginning of the time that it covers.
   * @format instant
   */
  start_date: string
  /**
   * End of the time that it covers.
   * @format instant
   */
  end_date: string
  /** Id of the app that made it. */
  source_bundle?: string | null
  /** Model of the device that made it. */
  product_type?: string | null
  /** What kind of thing made it. */
  source_type?:
    | 'unknown'
    | 'phone'
    | 'watch'
    | 'app'
    | 'multiple_sources'
    | 'fingerprick'
    | 'cuff'
    | 'manual_scan'
    | 'automatic'
    | 'insulin_pump'
    | 'scale'
    | 'chest_strap'
    | 'ring'
    | 'lab'
    | 'exercise_machine'
    | 'earphone'
    | null
  /** Further facts of the source, as texts by name. */
  metadata?: Record<string, string> | null
  /** Such as Running or biking_stationary. */
  sport: string
  /** Time in motion. Unit: s. */
  moving_time?: number | null
  /** kcal */
  calories?: number | null
  /** Distance. Unit: m. */
  distance?: number | null
  /** Climb. Unit: m. */
  ascent_elevation?: number | null
  /** Descent. Unit: m. */
  descent_elevation?: number | null
  /** bpm */
  heart_rate_maximum?: number | null
  /** bpm */
  heart_rate_minimum?: number | null
  /** bpm */
  heart_rate_mean?: number | null
  /** Time in zone 1 of the heart rate. Unit: s. */
  heart_rate_zone_1?: number | null
  /** Time in zone 2 of the heart rate. Unit: s. */
  heart_rate_zone_2?: number | null
  /** Time in zone 3 of the heart rate. Unit: s. */
  heart_rate_zone_3?: number | null
  /** Time in zone 4 of the heart rate. Unit: s. */
  heart_rate_zone_4?: number | null
  /** Time in zone 5 of the heart rate. Unit: s. */
  heart_rate_zone_5?: number | null
  /** Time in zone 6 of the heart rate. Unit: s. */
  heart_rate_zone_6?: number | null
  /** bpm; by which zones are told that are left out */
  heart_rate_zone_max_hr?: number | null
  /** Samples of the heart rate. */
  heart_rate?: QuantitySample[] | null
  /** Breaths a minute. */
  respiratory_rate?: QuantitySample[] | null
  /** What was measured during the workout. */
  stream?: WorkoutStreamUpload | null
}

export interface ListUsersQuery {
  /**
   * How many to leave out from the beginning.
   * @default 0
   */
  offset?: number
  /**
   * How many a page holds at most.
   * @default 100
   */
  limit?: number
}

export interface UndoDeleteUserQuery {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string
  /** The team's own id of the person. */
  client_user_id?: string
}

export interface SearchUsersQuery {
  /** Beginning of a user id, or part of a client user id. */
  query_id: string
}

export interface RefreshUserQuery {
  /**
   * Seconds to wait at most.
   * @default 10
   */
  timeout?: number
}

export interface ExplainMissingEventOfUserQuery {
  /** The type that did not come, exactly. */
  event_type: string
}

export interface ListProvidersQuery {
  /** Only providers of this kind. */
  source_type?: 'app' | 'ble' | 'device' | 'lab' | 'provider' | null
}

export interface ListBulkOperationsQuery {
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
  /**
   * How many a page holds.
   * @default 10
   */
  page_size?: number
}

export interface ExchangeLinkCodeQuery {
  /** The link code. */
  code: string
  /** `sign_in_token`, and nothing else. */
  grant_type?: string
}

export interface CreateLinkCodeQuery {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /**
   * Until when the code is good; an hour unless given.
   * @format instant
   */
  expires_at?: string | null
}

export interface ListErasuresQuery {
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
}

export interface ListLegalHoldsQuery {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string
  /** Only those that hold now, or only those that were released. */
  is_active?: boolean
}

export interface ListPutAsideItemsQuery {
  /** Only items of this resource. */
  resource?:
    | 'afib_burden'
    | 'basal_body_temperature'
    | 'blood_oxygen'
    | 'blood_pressure'
    | 'body_fat'
    | 'body_mass_index'
    | 'body_temperature'
    | 'body_temperature_delta'
    | 'body_weight'
    | 'caffeine'
    | 'calories_active'
    | 'calories_basal'
    | 'carbohydrates'
    | 'cholesterol'
    | 'daylight_exposure'
    | 'distance'
    | 'electrocardiogram_voltage'
    | 'fall'
    | 'floors_climbed'
    | 'forced_expiratory_volume_1'
    | 'forced_vital_capacity'
    | 'glucose'
    | 'handwashing'
    | 'heart_rate_alert'
    | 'heart_rate_recovery_one_minute'
    | 'heartrate'
    | 'hrv'
    | 'hypnogram'
    | 'ige'
    | 'igg'
    | 'inhaler_usage'
    | 'insulin_injection'
    | 'lean_body_mass'
    | 'mindfulness_minutes'
    | 'note'
    | 'peak_expiratory_flow_rate'
    | 'respiratory_rate'
    | 'sleep_apnea_alert'
    | 'sleep_breathing_disturbance'
    | 'stand_duration'
    | 'stand_hour'
    | 'steps'
    | 'stress_level'
    | 'uv_exposure'
    | 'vo2_max'
    | 'waist_circumference'
    | 'water'
    | 'wheelchair_push'
    | 'workout_distance'
    | 'workout_duration'
    | 'workout_swimming_stroke'
    | 'activity'
    | 'sleep'
    | 'workouts'
    | 'body'
    | 'meal'
    | 'menstrual_cycle'
    | 'profile'
    | 'electrocardiogram'
    | null
  /** Slug of a provider. */
  provider?:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
    | null
  /** Only items put aside for this reason. */
  reason?: string | null
  /**
   * How many a page holds at most.
   * @default 100
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface ListActivitiesQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListBodyMeasurementsQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListSleepsQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListWorkoutsQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListMealsQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListMenstrualCyclesQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListElectrocardiogramsQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface GetProfileQuery {
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ImportAppleHealthQuery {
  /**
   * Remove what earlier imports brought and this export holds no more, of the types and the time
   * that it covers.
   * @default false
   */
  remove_missing?: boolean
}

export interface ListImportsQuery {
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetStepsGroupedQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
  /** The same as `next_cursor`. */
  cursor?: string | null
}

export interface GetStepsMergedQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /**
   * Length of a slot. A day is a local day of the person.
   * @default "15_minutes"
   */
  slot?: 'minute' | '5_minutes' | '15_minutes' | 'hour' | 'day'
  /**
   * List the samples of each slot: those that count and those that do not.
   * @default false
   */
  explain?: boolean
  /** Merge one provider alone; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetStepsChartQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /**
   * Most buckets of a line, such as the pixels of the screen.
   * @default 1000
   */
  points?: number
  /**
   * One line of all sources, or a line for each. What cannot be merged has one for each.
   * @default "merged"
   */
  by?: 'merged' | 'source'
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListSleepCyclesQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListRawActivitiesQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListRawBodyMeasurementsQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListRawSleepsQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListRawWorkoutsQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface GetRawProfileQuery {
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface ListRawDevicesQuery {
  /** Provider slug; empty is all. */
  provider?:
    | ''
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
}

export interface GetMergedActivitiesQuery {
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
}

export interface ListTeamSourcePrioritiesQuery {
  /** Only this type of data. */
  data_type?: 'workouts' | 'activity' | 'sleep' | 'body' | 'timeseries'
}

export interface ListHistoricalPullsQuery {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string | null
  /** Slug of a provider. */
  provider?:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
    | null
  /**
   * How many people a page holds at most.
   * @default 50
   */
  user_limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
  /** The same as `next_cursor`. */
  cursor?: string | null
}

export interface ListResourceStatisticsQuery {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string | null
  /** Slug of a provider. */
  provider?:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'freestyle_libre_ble'
    | 'eight_sleep'
    | 'withings'
    | 'apple_health_kit'
    | 'manual'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'beurer_ble'
    | 'omron'
    | 'omron_ble'
    | 'onetouch_ble'
    | 'accuchek_ble'
    | 'contour_ble'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'health_connect'
    | 'samsung_health'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
    | 'ayumetrix'
    | 'spiriplex'
    | 'ussl'
    | 'quest'
    | 'sonora_quest'
    | 'labcorp'
    | 'bioreference'
    | 'us_biotek'
    | 'sanocardio'
    | 'ihd'
    | 'nexus'
    | 'my_uti'
    | 'crl'
    | 'mtl'
    | null
  /**
   * How many people a page holds at most.
   * @default 50
   */
  user_limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
  /** The same as `next_cursor`. */
  cursor?: string | null
}

export interface ListContinuousQueryTasksQuery {
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /** As next_cursor. */
  cursor?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
}

export interface ListContinuousQueriesQuery {
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /** As next_cursor. */
  cursor?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
}

export interface CreateContinuousQueryQuery {
  /**
   * Queries of the platform are not offered.
   * @default "team"
   */
  query_type?: 'team' | 'platform'
}

export interface ListLabAccountsQuery {
  /**
   * Only of this lab account.
   * @format uuid
   */
  lab_account_id?: string
  /** active, pending, suspended, ready_to_launch; in either case. */
  status?: string
}

export interface ListLabTestsQuery {
  /**
   * Lab tests that the team made, those made for orders, or both.
   * @default "manual"
   */
  generation_method?: 'auto' | 'manual' | 'all'
  /** Slug of the laboratory. */
  lab_slug?: string
  /** How the sample is taken. */
  collection_method?: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  /** Only what is in this state. */
  status?: 'active' | 'pending_approval' | 'inactive'
  /** Tests that hold all of these markers. */
  marker_ids?: number[]
  /** The same by the laboratory's codes. */
  provider_ids?: string[]
  /** Part of the name, in either case. */
  name?: string
  /**
   * What the list is ordered by.
   * @default "created_at"
   */
  order_key?: 'created_at' | 'updated_at' | 'price'
  /**
   * Upwards or downwards.
   * @default "asc"
   */
  order_direction?: 'asc' | 'desc'
  /**
   * How many lab tests a page holds at most.
   * @default 50
   */
  lab_test_limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /**
   * Tell prices, where they are known.
   * @default false
   */
  include_pricing?: boolean
  /**
   * Only what this lab account offers.
   * @format uuid
   */
  lab_account_id?: string
}

export interface GetLabTestQuery {
  /**
   * Only what this lab account offers.
   * @format uuid
   */
  lab_account_id?: string
}

export interface ListLabTestMarkersQuery {
  /**
   * Only what this lab account offers.
   * @format uuid
   */
  lab_account_id?: string
  /**
   * Number of the page, from 1.
   * @default 1
   */
  page?: number
  /**
   * How many a page holds at most.
   * @default 50
   */
  size?: number
}

export interface ListMarkersQuery {
  /** Number of the laboratory. */
  lab_id?: number[]
  /** Wins over lab_id. */
  lab_slug?: string
  /** Name, alias, LOINC code or laboratory's code; finds mistyped names too. */
  name?: string
  /** Only markers that can be ordered by themselves, or only the others. */
  a_la_carte_enabled?: boolean
  /**
   * Tell prices, where they are known.
   * @default false
   */
  include_pricing?: boolean
  /**
   * Only what this lab account offers.
   * @format uuid
   */
  lab_account_id?: string
  /**
   * Number of the page, from 1.
   * @default 1
   */
  page?: number
  /**
   * How many a page holds at most.
   * @default 50
   */
  size?: number
}

export interface ListOrderSetMarkersQuery {
  /**
   * Number of the page, from 1.
   * @default 1
   */
  page?: number
  /**
   * How many a page holds at most.
   * @default 50
   */
  size?: number
}

export interface GetMarkerByProviderIdQuery {
  /**
   * Only what this lab account offers.
   * @format uuid
   */
  lab_account_id?: string
}

export interface ListInsuranceQuery {
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetLatestInsuranceQuery {
  /**
   * false: the newest that is not primary.
   * @default true
   */
  is_primary?: boolean
}

export interface SearchPayorsQuery {
  /** Words of the name of a payor, or of another name of it. */
  insurance_name?: string | null
  /** Slug of a provider. */
  provider?:
    | 'change_healthcare'
    | 'availity'
    | 'stedi'
    | 'waystar'
    | 'claim_md'
    | 'apero'
    | 'pverify'
    | null
  /** Id of the payor at the provider. */
  provider_payor_id?: string | null
}

export interface SearchDiagnosesQuery {
  /** A code, the beginning of one, or words of the description. */
  diagnosis_query: string
}

export interface ListOrdersQuery {
  /**
   * An order id or user id, a birth date (YYYY-MM-DD), or a part of the name of the patient or the
   * shipping recipient.
   */
  search_input?: string | null
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  start_date?: string | null
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  end_date?: string | null
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  updated_start_date?: string | null
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  updated_end_date?: string | null
  /** Only what is in this state. */
  status?:
    | (
        | 'ordered'
        | 'requisition_created'
        | 'requisition_bypassed'
        | 'transit_customer'
        | 'out_for_delivery'
        | 'with_customer'
        | 'transit_lab'
        | 'delivered_to_lab'
        | 'completed'
        | 'failure_to_deliver_to_lab'
        | 'failure_to_deliver_to_customer'
        | 'problem_in_transit_lab'
        | 'problem_in_transit_customer'
        | 'sample_error'
        | 'appointment_scheduled'
        | 'appointment_cancelled'
        | 'appointment_pending'
        | 'draw_completed'
        | 'cancelled'
        | 'lost'
        | 'do_not_process'
        | 'partial_results'
        | 'awaiting_registration'
        | 'registered'
        | 'redraw_available'
        | 'corrected'
        | 'lab_processing_blocked'
      )[]
    | null
  /** What the list is ordered by. */
  order_key?: 'created_at' | 'patient_name' | 'last_status' | null
  /** Upwards or downwards. */
  order_direction?: 'asc' | 'desc' | null
  /** Only orders collected so. */
  order_type?: ('testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection')[] | null
  /** Only orders with a critical result, or only the others. */
  is_critical?: boolean | null
  /** Only orders whose results are this, taken as a whole. */
  interpretation?: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  /** Orders handed over at once, or on a later day. */
  order_activation_types?: ('current' | 'scheduled')[] | null
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string | null
  /** A part of the name, in either case. */
  patient_name?: string | null
  /** A part of the name, in either case. */
  shipping_recipient_name?: string | null
  /** Only these orders. */
  order_ids?: string[] | null
  /**
   * Only orders of this transaction.
   * @format uuid
   */
  order_transaction_id?: string | null
  /**
   * Number of the page, from 1.
   * @default 1
   */
  page?: number
  /**
   * How many a page holds at most.
   * @default 50
   */
  size?: number
}

export interface ListStuckOrdersQuery {
  /**
   * How many a page holds at most.
   * @default 100
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetAreaInfoQuery {
  /** A ZIP code of the United States. */
  zip_code: string
  /**
   * Miles around the middle of the ZIP code.
   * @default "25"
   */
  radius?: '10' | '20' | '25' | '50' | '100'
  /** Use `labs`. */
  lab?: 'quest' | 'labcorp' | 'bioreference' | 'sonora_quest' | null
  /** Only these laboratories. */
  labs?: ('quest' | 'labcorp' | 'bioreference' | 'sonora_quest')[] | null
  /**
   * Tells sites and billing types of this account.
   * @format uuid
   */
  lab_account_id?: string | null
}

export interface ListServiceCentersQuery {
  /** A ZIP code of the United States. */
  zip_code: string
  /** Number of the laboratory. */
  lab_id: number
  /**
   * Miles around the middle of the ZIP code.
   * @default "25"
   */
  radius?: '10' | '20' | '25' | '50' | '100'
  /** Only sites that have all of them. */
  capabilities?:
    | (
        | 'stat'
        | 'appointment_scheduling_via_service'
        | 'appointment_scheduling_with_lab'
        | 'appointment_scheduling_via_junction'
      )[]
    | null
  /**
   * Tells sites and billing types of this account.
   * @format uuid
   */
  lab_account_id?: string | null
}

export interface ListServiceCentersOfOrderQuery {
  /**
   * Miles around the middle of the ZIP code.
   * @default "25"
   */
  radius?: '10' | '20' | '25' | '50' | '100'
  /** Only sites that have all of them. */
  capabilities?:
    | (
        | 'stat'
        | 'appointment_scheduling_via_service'
        | 'appointment_scheduling_with_lab'
        | 'appointment_scheduling_via_junction'
      )[]
    | null
}

export interface GetPhlebotomyAppointmentAvailabilityQuery {
  /**
   * The first local day; today when not given.
   * @format date
   */
  start_date?: string | null
}

export interface GetPscAppointmentAvailabilityQuery {
  /** Whose sites. */
  lab: 'quest' | 'sonora_quest'
  /**
   * The first local day; today when not given.
   * @format date
   */
  start_date?: string | null
  /** Codes of sites, at most three. */
  site_codes?: string[] | null
  /** The three sites nearest to it. */
  zip_code?: string | null
  /**
   * Miles around the ZIP code.
   * @default "25"
   */
  radius?: '10' | '20' | '25' | '50' | '100' | null
  /**
   * Takes slots that were asked for up to 15 minutes ago.
   * @default false
   */
  allow_stale?: boolean
}

export interface ListAppointmentsQuery {
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetOrderLabelsQuery {
  /**
   * When the sample is drawn, with the offset of the place.
   * @format instant
   */
  collection_date: string
  /**
   * How many labels to print.
   * @default 3
   */
  number_of_labels?: number
}

export interface ListDocumentsQuery {
  /** Only documents of this kind. */
  type?: 'requisition' | 'abn' | 'collection_instructions' | 'result' | 'lab_report'
  /**
   * Only of this order.
   * @format uuid
   */
  order_id?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetOrderResultQuery {
  /** One of the versions of the result; the newest without it. */
  version?: number
}

export interface GetOrderResultMetadataQuery {
  /** One of the versions of the result; the newest without it. */
  version?: number
}

export interface GetOrderResultReportQuery {
  /** One of the versions of the result; the newest without it. */
  version?: number
}

export interface ListPersonResultsQuery {
  /**
   * Beginning: YYYY-MM-DD or an ISO 8601 date-time, in UTC without an offset.
   * @format date
   */
  start_date?: string
  /**
   * End, itself included: YYYY-MM-DD or an ISO 8601 date-time. Without it: now.
   * @format date
   */
  end_date?: string
  /** Only results of orders, or of reports that were read. */
  source?: 'order' | 'lab_report'
  /** Only results of this code. */
  loinc_code?: string
  /**
   * How many a page holds at most.
   * @default 100
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetResultTrendQuery {
  /** LOINC code of the analyte, in whatever unit. */
  loinc_code: string
  /**
   * Beginning: YYYY-MM-DD or an ISO 8601 date-time, in UTC without an offset.
   * @format date
   */
  start_date?: string
  /**
   * End, itself included: YYYY-MM-DD or an ISO 8601 date-time. Without it: now.
   * @format date
   */
  end_date?: string
  /** Only results of orders, or of reports that were read. */
  source?: 'order' | 'lab_report'
  /** Unit of the trend, in UCUM or as laboratories write it. */
  unit?: string
  /** Also sums up the points of each. */
  period?: 'month' | 'quarter' | 'year'
}

export interface ListUnmatchedResultsQuery {
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /** Only results held for this reason. */
  decision_code?:
    | 'match_sample_id'
    | 'match_completed'
    | 'match_cancelled'
    | 'wrong_collection'
    | 'wrong_lab'
    | 'multiple_demo_match'
    | 'match_sample_id_mismatch_demo'
    | 'match_demo'
    | 'no_match'
  /** Slug of the laboratory. */
  lab_slug?: string
  /** Without it: what awaits the team, and what it has passed on to the operators. */
  status?: 'pending_customer_review' | 'pending_ops_review' | 'resolved'
  /**
   * Arrived on this day or later.
   * @format date
   */
  created_at_start?: string
  /**
   * Arrived on this day or earlier.
   * @format date
   */
  created_at_end?: string
  /** First name, last name or birth date (YYYY-MM-DD) of the patient. */
  search_input?: string
}

export interface ListHeldResultsQuery {
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface ListParsingJobsQuery {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string
  /** Only what is in this state. */
  status?: 'upload_pending' | 'started' | 'pending_review' | 'completed' | 'failed'
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetParsingJobPageQuery {
  /**
   * Pixels; a photo is never made larger than it is.
   * @default 1200
   */
  width?: number
}

export interface ListLabReportReviewsQuery {
  /**
   * Only what is in this state.
   * @default "pending_review"
   */
  status?: 'pending_review' | 'completed' | 'failed'
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface GetLabReportPageQuery {
  /**
   * Pixels; a photo is never made larger than it is.
   * @default 1200
   */
  width?: number
}

export interface ListLabMessagesQuery {
  /**
   * `failed`: those that were given up; `waiting`: those that will be tried again.
   * @default "failed"
   */
  state?: 'failed' | 'waiting'
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string | null
}

export interface SimulateOrderQuery {
  /** Where to; the good end without it. */
  final_status?:
    | 'received.walk_in_test.ordered'
    | 'received.walk_in_test.requisition_created'
    | 'received.walk_in_test.requisition_bypassed'
    | 'completed.walk_in_test.completed'
    | 'completed.walk_in_test.corrected'
    | 'failed.walk_in_test.sample_error'
    | 'cancelled.walk_in_test.cancelled'
    | 'collecting_sample.walk_in_test.appointment_pending'
    | 'collecting_sample.walk_in_test.appointment_scheduled'
    | 'collecting_sample.walk_in_test.appointment_cancelled'
    | 'sample_with_lab.walk_in_test.partial_results'
    | 'collecting_sample.walk_in_test.redraw_available'
    | 'received.at_home_phlebotomy.ordered'
    | 'received.at_home_phlebotomy.requisition_created'
    | 'received.at_home_phlebotomy.requisition_bypassed'
    | 'completed.at_home_phlebotomy.completed'
    | 'completed.at_home_phlebotomy.corrected'
    | 'failed.at_home_phlebotomy.sample_error'
    | 'cancelled.at_home_phlebotomy.cancelled'
    | 'collecting_sample.at_home_phlebotomy.appointment_pending'
    | 'collecting_sample.at_home_phlebotomy.appointment_scheduled'
    | 'collecting_sample.at_home_phlebotomy.appointment_cancelled'
    | 'collecting_sample.at_home_phlebotomy.draw_completed'
    | 'sample_with_lab.at_home_phlebotomy.partial_results'
    | 'received.on_site_collection.ordered'
    | 'received.on_site_collection.requisition_created'
    | 'received.on_site_collection.requisition_bypassed'
    | 'completed.on_site_collection.completed'
    | 'completed.on_site_collection.corrected'
    | 'failed.on_site_collection.sample_error'
    | 'cancelled.on_site_collection.cancelled'
    | 'sample_with_lab.on_site_collection.draw_completed'
    | 'sample_with_lab.on_site_collection.partial_results'
    | 'received.testkit.ordered'
    | 'received.testkit.requisition_created'
    | 'received.testkit.requisition_bypassed'
    | 'completed.testkit.completed'
    | 'completed.testkit.corrected'
    | 'failed.testkit.sample_error'
    | 'cancelled.testkit.cancelled'
    | 'received.testkit.awaiting_registration'
    | 'received.testkit.registered'
    | 'collecting_sample.testkit.transit_customer'
    | 'collecting_sample.testkit.out_for_delivery'
    | 'collecting_sample.testkit.with_customer'
    | 'collecting_sample.testkit.transit_lab'
    | 'collecting_sample.testkit.problem_in_transit_customer'
    | 'collecting_sample.testkit.problem_in_transit_lab'
    | 'sample_with_lab.testkit.delivered_to_lab'
    | 'sample_with_lab.testkit.lab_processing_blocked'
    | 'failed.testkit.failure_to_deliver_to_customer'
    | 'failed.testkit.failure_to_deliver_to_lab'
    | 'failed.testkit.lost'
    | 'cancelled.testkit.do_not_process'
    | null
  /** Seconds between steps. */
  delay?: number | null
}

export interface ListWebhooksQuery {
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
}

export interface ListWebhookStatusQuery {
  /**
   * Attempts of so many hours count.
   * @default 24
   */
  hours?: number
}

export interface ListEventsQuery {
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** Exact, or with a trailing *. */
  event_type?: string
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string
  /**
   * Events about this order, its appointments and results. A page may hold few, or none, and the
   * next one more; with user_id and since it is quick.
   * @format uuid
   */
  order_id?: string
  /**
   * Events that were made a message for this webhook; a status is then that of the message.
   * @format uuid
   */
  webhook_id?: string
  /**
   * Events of which a delivery has the status; waiting: not dispatched yet; unsent: no endpoint got
   * it.
   */
  status?: 'waiting' | 'unsent' | 'pending' | 'delivered' | 'failed' | 'cancelled'
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  since?: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  until?: string
}

export interface ListWebhookAttemptsQuery {
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** Only what is in this state. */
  status?: 'succeeded' | 'failed'
  /** Exact, or with a trailing *. */
  event_type?: string
}

export interface FollowEventsQuery {
  /** Id of the last event that was read; without it, from now on. */
  after?: string
  /**
   * false ends with the newest event.
   * @default true
   */
  follow?: boolean
  /** Exact, or with a trailing *. */
  event_type?: string[]
}

export interface ExplainMissingEventQuery {
  /**
   * Id of the person.
   * @format uuid
   */
  user_id: string
  /** The type that did not come, exactly. */
  event_type: string
}

export interface ListTeamsQuery {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id?: string
  /** The region of teams. */
  region?: ('us' | 'eu')[]
  /** Part of the name, or the exact id or integration_team_id. */
  search_query?: string
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
}

export interface GetTeamQuery {
  /** Environments whose settings the answer holds; without it, both. */
  include_environment?: ('sandbox' | 'production')[]
}

export interface ListTeamApiKeysQuery {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id?: string
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
}

export interface RevokeTeamApiKeysQuery {
  /** Ids of the keys. */
  api_key_id: string[]
}

export interface ListManagementKeysQuery {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id?: string
  /** Only keys with this role. */
  role?: 'org_admin' | 'team_admin'
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
}

export interface ListTeamPipelinesQuery {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id?: string
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
}

export interface ResetTeamPipelinesQuery {
  /** Id of the team. */
  team_id: string[]
}

export interface LoadCatalogQuery {
  /** Tells what would change and changes nothing. */
  dry_run?: boolean
}

export interface LoadPayorsQuery {
  /** Tells what would change and changes nothing. */
  dry_run?: boolean
}

export interface LoadDiagnosisCodesQuery {
  /** Tells what would change and changes nothing. */
  dry_run?: boolean
}

export interface LoadServiceCentersQuery {
  /** Tells what would change and changes nothing. */
  dry_run?: boolean
}

export interface GetScopeRequirementsQuery {
  /** Slug of a provider. */
  provider?:
    | 'fitbit'
    | 'google_fit'
    | 'google_health'
    | 'oura'
    | 'strava'
    | 'withings'
    | 'wahoo'
    | 'whoop_v2'
    | 'my_fitness_pal_v2'
    | null
}

export interface ListTeamCustomCredentialsQuery {
  /**
   * Id of the team.
   * @format uuid
   */
  team_id?: string
  /** Slug of a provider. */
  provider?:
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'strava'
    | 'wahoo'
    | 'withings'
    | 'ihealth'
    | 'google_fit'
    | 'omron'
    | 'dexcom_v3'
    | 'polar'
    | 'cronometer'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
}

export interface DeleteTeamCustomCredentialsQuery {
  /** Ids of apps. */
  credential_id: string[]
}

export interface ListDataPullPreferencesQuery {
  /** Id of the team. */
  team_id?: string[]
  /** Slug of a provider. */
  provider?: (
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'eight_sleep'
    | 'withings'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'omron'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
  )[]
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /**
   * How many a page holds at most.
   * @default 5
   */
  limit?: number
}

export interface ResetDataPullPreferencesQuery {
  /** Id of the team. */
  team_id: string[]
  /** Slug of a provider. */
  provider?: (
    | 'oura'
    | 'fitbit'
    | 'garmin'
    | 'whoop'
    | 'strava'
    | 'renpho'
    | 'peloton'
    | 'wahoo'
    | 'zwift'
    | 'freestyle_libre'
    | 'abbott_libreview'
    | 'tandem_source'
    | 'eight_sleep'
    | 'withings'
    | 'ihealth'
    | 'google_fit'
    | 'beurer_api'
    | 'omron'
    | 'dexcom'
    | 'dexcom_v3'
    | 'hammerhead'
    | 'my_fitness_pal'
    | 'polar'
    | 'cronometer'
    | 'kardia'
    | 'whoop_v2'
    | 'ultrahuman'
    | 'my_fitness_pal_v2'
    | 'map_my_fitness'
    | 'runkeeper'
    | 'google_health'
  )[]
}

export interface ListJobsQuery {
  /** `waiting` could run now, `scheduled` later; `failing` will be tried again, `given_up` not. */
  state?: 'waiting' | 'scheduled' | 'running' | 'failing' | 'given_up'
  /** Kind of the job. */
  kind?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
}

export interface ListAuditLogQuery {
  /** Kind of who acted. */
  actor_kind?: string
  /**
   * Id of the key or session that acted.
   * @format uuid
   */
  actor_id?: string
  /** Pattern of the route, exact or with a trailing *. */
  route?: string
  /** Method of the request. */
  method?: string
  /** `refused` with a status of 4xx, `failed` with one of 5xx. */
  outcome?: 'done' | 'refused' | 'failed'
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string
  /**
   * With what only read.
   * @default false
   */
  reads?: boolean
  /**
   * With the access tokens that the console makes to read for who is signed in: one for each
   * environment, every ten minutes.
   * @default true
   */
  console_tokens?: boolean
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  since?: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  until?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
  /**
   * What happened to this team and in its environments.
   * @format uuid
   */
  team_id?: string
}

export interface ListEnvironmentAuditLogQuery {
  /** Kind of who acted. */
  actor_kind?: string
  /**
   * Id of the key or session that acted.
   * @format uuid
   */
  actor_id?: string
  /** Pattern of the route, exact or with a trailing *. */
  route?: string
  /** Method of the request. */
  method?: string
  /** `refused` with a status of 4xx, `failed` with one of 5xx. */
  outcome?: 'done' | 'refused' | 'failed'
  /**
   * Id of the person.
   * @format uuid
   */
  user_id?: string
  /**
   * With what only read.
   * @default false
   */
  reads?: boolean
  /**
   * With the access tokens that the console makes to read for who is signed in: one for each
   * environment, every ten minutes.
   * @default true
   */
  console_tokens?: boolean
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  since?: string
  /**
   * YYYY-MM-DD or an ISO 8601 date-time; without an offset it is UTC.
   * @format date-or-date-time
   */
  until?: string
  /**
   * How many a page holds at most.
   * @default 50
   */
  limit?: number
  /** `next_cursor` of the page before; without it, the first page. */
  next_cursor?: string
}

/** What is uploaded, by series. */
export interface SeriesUploads {
  afib_burden: QuantityUpload
  basal_body_temperature: QuantityUpload
  blood_oxygen: QuantityUpload
  blood_pressure: BloodPressureUpload
  body_fat: QuantityUpload
  fat: QuantityUpload
  body_mass_index: QuantityUpload
  body_temperature: QuantityUpload
  temperature: QuantityUpload
  body_temperature_delta: QuantityUpload
  body_weight: QuantityUpload
  weight: QuantityUpload
  caffeine: QuantityUpload
  calories_active: QuantityUpload
  calories_basal: QuantityUpload
  carbohydrates: QuantityUpload
  cholesterol: QuantityUpload
  daylight_exposure: QuantityUpload
  distance: QuantityUpload
  electrocardiogram_voltage: QuantityUpload
  fall: QuantityUpload
  floors_climbed: QuantityUpload
  forced_expiratory_volume_1: QuantityUpload
  forced_vital_capacity: QuantityUpload
  glucose: QuantityUpload
  handwashing: QuantityUpload
  heart_rate_alert: QuantityUpload
  heart_rate_recovery_one_minute: QuantityUpload
  heartrate: QuantityUpload
  hrv: QuantityUpload
  heartrate_variability: QuantityUpload
  hypnogram: QuantityUpload
  ige: QuantityUpload
  igg: QuantityUpload
  inhaler_usage: QuantityUpload
  insulin_injection: QuantityUpload
  lean_body_mass: QuantityUpload
  mindfulness_minutes: QuantityUpload
  note: TextUpload
  peak_expiratory_flow_rate: QuantityUpload
  respiratory_rate: QuantityUpload
  sleep_apnea_alert: QuantityUpload
  sleep_breathing_disturbance: QuantityUpload
  stand_duration: QuantityUpload
  stand_hour: QuantityUpload
  steps: QuantityUpload
  stress_level: QuantityUpload
  uv_exposure: QuantityUpload
  vo2_max: QuantityUpload
  waist_circumference: QuantityUpload
  water: QuantityUpload
  wheelchair_push: QuantityUpload
  workout_distance: QuantityUpload
  workout_duration: QuantityUpload
  workout_swimming_stroke: QuantityUpload
}

/** Samples by source, by series. */
export interface SeriesGroups {
  afib_burden: AfibBurdenGroups
  basal_body_temperature: BasalBodyTemperatureGroups
  blood_oxygen: BloodOxygenGroups
  blood_pressure: BloodPressureGroups
  body_fat: BodyFatGroups
  body_mass_index: BodyMassIndexGroups
  body_temperature: BodyTemperatureGroups
  body_temperature_delta: BodyTemperatureDeltaGroups
  body_weight: BodyWeightGroups
  caffeine: CaffeineGroups
  calories_active: CaloriesActiveGroups
  calories_basal: CaloriesBasalGroups
  carbohydrates: CarbohydratesGroups
  cholesterol: CholesterolGroups
  daylight_exposure: DaylightExposureGroups
  distance: DistanceGroups
  electrocardiogram_voltage: ElectrocardiogramVoltageGroups
  fall: FallGroups
  floors_climbed: FloorsClimbedGroups
  forced_expiratory_volume_1: ForcedExpiratoryVolume1Groups
  forced_vital_capacity: ForcedVitalCapacityGroups
  glucose: GlucoseGroups
  handwashing: HandwashingGroups
  heart_rate_alert: HeartRateAlertGroups
  heart_rate_recovery_one_minute: HeartRateRecoveryOneMinuteGroups
  heartrate: HeartrateGroups
  hrv: HrvGroups
  ige: IgeGroups
  igg: IggGroups
  inhaler_usage: InhalerUsageGroups
  insulin_injection: InsulinInjectionGroups
  lean_body_mass: LeanBodyMassGroups
  mindfulness_minutes: MindfulnessMinutesGroups
  note: NoteGroups
  peak_expiratory_flow_rate: PeakExpiratoryFlowRateGroups
  respiratory_rate: RespiratoryRateGroups
  sleep_apnea_alert: SleepApneaAlertGroups
  sleep_breathing_disturbance: SleepBreathingDisturbanceGroups
  stand_duration: StandDurationGroups
  stand_hour: StandHourGroups
  steps: StepsGroups
  stress_level: StressLevelGroups
  uv_exposure: UvExposureGroups
  vo2_max: Vo2MaxGroups
  waist_circumference: WaistCircumferenceGroups
  water: WaterGroups
  wheelchair_push: WheelchairPushGroups
  workout_distance: WorkoutDistanceGroups
  workout_duration: WorkoutDurationGroups
  workout_swimming_stroke: WorkoutSwimmingStrokeGroups
}

/** All sources as one, by series. */
export interface SeriesMerged {
  afib_burden: AfibBurdenMerged
  basal_body_temperature: BasalBodyTemperatureMerged
  blood_oxygen: BloodOxygenMerged
  body_fat: BodyFatMerged
  body_mass_index: BodyMassIndexMerged
  body_temperature: BodyTemperatureMerged
  body_temperature_delta: BodyTemperatureDeltaMerged
  body_weight: BodyWeightMerged
  caffeine: CaffeineMerged
  calories_active: CaloriesActiveMerged
  calories_basal: CaloriesBasalMerged
  carbohydrates: CarbohydratesMerged
  cholesterol: CholesterolMerged
  daylight_exposure: DaylightExposureMerged
  distance: DistanceMerged
  fall: FallMerged
  floors_climbed: FloorsClimbedMerged
  forced_expiratory_volume_1: ForcedExpiratoryVolume1Merged
  forced_vital_capacity: ForcedVitalCapacityMerged
  glucose: GlucoseMerged
  handwashing: HandwashingMerged
  heart_rate_alert: HeartRateAlertMerged
  heart_rate_recovery_one_minute: HeartRateRecoveryOneMinuteMerged
  heartrate: HeartrateMerged
  hrv: HrvMerged
  ige: IgeMerged
  igg: IggMerged
  inhaler_usage: InhalerUsageMerged
  insulin_injection: InsulinInjectionMerged
  lean_body_mass: LeanBodyMassMerged
  mindfulness_minutes: MindfulnessMinutesMerged
  peak_expiratory_flow_rate: PeakExpiratoryFlowRateMerged
  respiratory_rate: RespiratoryRateMerged
  sleep_apnea_alert: SleepApneaAlertMerged
  sleep_breathing_disturbance: SleepBreathingDisturbanceMerged
  stand_duration: StandDurationMerged
  stand_hour: StandHourMerged
  steps: StepsMerged
  stress_level: StressLevelMerged
  uv_exposure: UvExposureMerged
  vo2_max: Vo2MaxMerged
  waist_circumference: WaistCircumferenceMerged
  water: WaterMerged
  wheelchair_push: WheelchairPushMerged
  workout_distance: WorkoutDistanceMerged
  workout_duration: WorkoutDurationMerged
  workout_swimming_stroke: WorkoutSwimmingStrokeMerged
}

/** Series that have a chart. */
export type ChartedSeries =
  | 'afib_burden'
  | 'basal_body_temperature'
  | 'blood_oxygen'
  | 'blood_pressure'
  | 'body_fat'
  | 'body_mass_index'
  | 'body_temperature'
  | 'body_temperature_delta'
  | 'body_weight'
  | 'caffeine'
  | 'calories_active'
  | 'calories_basal'
  | 'carbohydrates'
  | 'cholesterol'
  | 'daylight_exposure'
  | 'distance'
  | 'electrocardiogram_voltage'
  | 'fall'
  | 'floors_climbed'
  | 'forced_expiratory_volume_1'
  | 'forced_vital_capacity'
  | 'glucose'
  | 'handwashing'
  | 'heart_rate_alert'
  | 'heart_rate_recovery_one_minute'
  | 'heartrate'
  | 'hrv'
  | 'ige'
  | 'igg'
  | 'inhaler_usage'
  | 'insulin_injection'
  | 'lean_body_mass'
  | 'mindfulness_minutes'
  | 'peak_expiratory_flow_rate'
  | 'respiratory_rate'
  | 'sleep_apnea_alert'
  | 'sleep_breathing_disturbance'
  | 'stand_duration'
  | 'stand_hour'
  | 'steps'
  | 'stress_level'
  | 'uv_exposure'
  | 'vo2_max'
  | 'waist_circumference'
  | 'water'
  | 'wheelchair_push'
  | 'workout_distance'
  | 'workout_duration'
  | 'workout_swimming_stroke'

/** Codes of refusals (docs/errors.md). */
export type ErrorType =
  | 'invalid_api_key'
  | 'invalid_session'
  | 'cross_site_request'
  | 'invalid_token'
  | 'reauthentication_required'
  | 'invalid_signature'
  | 'not_found'
  | 'validation_error'
  | 'invalid_url'
  | 'malformed_request'
  | 'request_timeout'
  | 'headers_too_large'
  | 'invalid_gzip'
  | 'invalid_content_length'
  | 'invalid_cursor'
  | 'invalid_unit'
  | 'invalid_date_range'
  | 'range_too_large'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'body_too_large'
  | 'too_many_items'
  | 'too_many_keys'
  | 'too_many_values'
  | 'item_too_large'
  | 'unsupported_media_type'
  | 'unsupported_content_encoding'
  | 'legal_hold'
  | 'erasure_begun'
  | 'export_running'
  | 'export_not_completed'
  | 'demo_team_filling'
  | 'idempotency_conflict'
  | 'rate_limited'
  | 'client_gone'
  | 'internal_error'
  | 'store_unavailable'
  | 'shutting_down'
  | 'store_full'
  | 'overloaded'
  | 'storage_full'
  | 'parser_unavailable'
  | 'storage_unavailable'
  | 'audit_unavailable'
  | 'query_timeout'
  | 'role_too_low'
  | 'sandbox_only'
  | 'own_user_only'
  | 'one_user_only'
  | 'address_not_allowed'
  | 'read_only'
  | 'feature_not_enabled'
  | 'INVALID_REQUEST'
  | 'conflict'
  | 'user_limit_reached'
  | 'already_connected'
  | 'ingestion_ended'
  | 'not_connected'
  | 'invalid_code'
  | 'unsupported_grant_type'
  | 'demo_user'
  | 'provider_not_configured'
  | 'missing_link_token'
  | 'token_expired'
  | 'token_consumed'
  | 'token_not_validated'
  | 'invalid_form'
  | 'form_too_large'
  | 'empty_file'
  | 'slug_taken'
  | 'columns_changed'
  | 'marker_selection_required'
  | 'marker_selection_conflict'
  | 'markers_from_multiple_labs'
  | 'marker_not_a_la_carte'
  | 'method_not_supported'
  | 'not_approved'
  | 'not_pending_approval'
  | 'lab_account_invalid'
  | 'lab_account_unavailable'
  | 'lab_account_ambiguous'
  | 'lab_test_not_active'
  | 'order_set_required'
  | 'order_set_conflict'
  | 'add_on_empty'
  | 'add_on_conflict'
  | 'multiple_labs'
  | 'multiple_methods'
  | 'collection_method_required'
  | 'lab_test_not_found'
  | 'marker_not_found'
  | 'lab_not_found'
  | 'lab_not_connected'
  | 'lab_message_not_failed'
  | 'order_not_stuck'
  | 'saved_view_name_taken'
  | 'too_many_saved_views'
  | 'physician_required'
  | 'physician_not_licensed'
  | 'insurance_required'
  | 'billing_not_allowed'
  | 'icd_codes_required'
  | 'icd_codes_invalid'
  | 'diagnosis_codes_loading'
  | 'consents_required'
  | 'minor_not_allowed'
  | 'medical_proxy_required'
  | 'demographics_required'
  | 'aoe_required'
  | 'aoe_invalid'
  | 'activate_by_in_past'
  | 'sample_id_taken'
  | 'not_a_testkit'
  | 'already_registered'
  | 'kit_not_registrable'
  | 'update_reason_required'
  | 'order_already_recreated'
  | 'order_not_scheduled'
  | 'order_not_modifiable'
  | 'transition_not_allowed'
  | 'appointment_exists'
  | 'wrong_collection_method'
  | 'resend_filter_required'
  | 'resend_window_too_long'
  | 'final_status_unreachable'
  | 'match_review_disabled'
  | 'undo_not_possible'
  | 'result_already_attached'
  | 'payor_filter_required'
  | 'guarantor_required'
  | 'payor_not_found'
  | 'insurance_not_found'
  | 'slot_in_past'
  | 'invalid_booking_key'
  | 'site_not_found'
  | 'site_inactive'
  | 'start_date_in_past'
  | 'site_or_zip_required'
  | 'radius_required'
  | 'too_many_sites'
  | 'requisition_missing'
  | 'order_state'
  | 'lab_not_schedulable'
  | 'area_not_served'
  | 'provider_not_requestable'
  | 'booking_refused'
  | 'patient_too_young'
  | 'no_appointment'
  | 'not_reschedulable'
  | 'appointment_closed'
  | 'appointment_already_cancelled'
  | 'appointment_busy'
  | 'provider_unavailable'
  | 'slot_unavailable'
  | 'no_slots_found'
  | 'appointment_not_found'
  | 'cancellation_reason_not_found'
  | 'unsupported_file_type'
  | 'content_type_mismatch'
  | 'too_many_files'
  | 'pdf_in_multi_upload'
  | 'unreadable_file'
  | 'too_many_pages'
  | 'file_too_large'
  | 'human_review_not_enabled'
  | 'sandbox_job_limit'
  | 'job_not_completed'
  | 'job_not_pending_review'
  | 'patient_not_confirmed'
  | 'job_not_found'
  | 'file_not_found'
  | 'page_not_found'
  | 'user_not_found'
  | 'team_not_found'
  | 'lab_message_not_found'
  | 'saved_view_not_found'
  | 'order_not_found'
  | 'order_transaction_not_found'
  | 'kit_not_found'
  | 'document_not_available'
  | 'results_not_available'
  | 'result_version_not_found'
  | 'unmatched_result_not_found'
  | 'unmatched_result_test_not_found'
  | 'lab_test_required'
  | 'lab_test_unsuitable'
  | 'order_status_invalid'
  | 'orders_unsuitable'
  | 'wrong_lab_test_required'
  | 'wrong_lab_test_unsuitable'
  | 'unexpected_match'
  | 'team_id_taken'
  | 'integration_team_id_taken'
  | 'last_org_admin_key'
  | 'destination_not_available'
  | 'raw_data_not_available'
  | 'payors_invalid'
  | 'service_centers_invalid'
  | 'order_has_no_address'
  | 'catalog_invalid'
  | 'diagnosis_codes_invalid'
  | 'webhook_disabled'
  | 'not_dispatched'
  | 'invalid_last_event_id'
  | 'unknown_position'
