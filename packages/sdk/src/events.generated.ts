// generated from the event types in packages/server/src by scripts/generate.ts; do not edit

export interface Activity {
  /** @format uuid */
  id: string
  /** @format uuid */
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
  /** m */
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
  heart_rate: ActivityHeartRate | null
  /** true or null, never false. */
  wheelchair_use: boolean | null
  /** Pushes of a wheelchair. */
  wheelchair_push: number | null
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

export interface Address {
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip: string
  country: string
  access_notes: string | null
}

export interface AfibBurdenGroupEvent {
  source: Source
  data: AfibBurdenSample[]
  /** @format uuid */
  user_id: string
}

/** Share of time in atrial fibrillation. */
export interface AfibBurdenSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: '%'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface AoE {
  questions: Question[]
}

export interface Appointment {
  /** @format uuid */
  id: string
  /** @format uuid */
  user_id: string
  /** @format uuid */
  order_id: string
  /** @format uuid */
  order_transaction_id: string | null
  address: USAddress
  location: LngLat
  /** @format date-time */
  start_at: string | null
  /** @format date-time */
  end_at: string | null
  iana_timezone: string | null
  type: 'phlebotomy' | 'patient_service_center'
  provider: 'getlabs' | 'phlebfinders' | 'quest' | 'sonora_quest'
  status: 'confirmed' | 'pending' | 'reserved' | 'in_progress' | 'completed' | 'cancelled'
  provider_id: string
  external_id: string | null
  can_reschedule: boolean
  appointment_notes: string | null
  event_status: 'pending' | 'reserved' | 'scheduled' | 'completed' | 'cancelled' | 'in_progress'
  event_data: Record<string, unknown> | null
  events: AppointmentEvent[]
}

export interface AppointmentEvent {
  /** @format date-time */
  created_at: string
  status: 'pending' | 'reserved' | 'scheduled' | 'completed' | 'cancelled' | 'in_progress'
  data: Record<string, unknown> | null
}

export interface AttemptExhausted {
  msg_id: string
  /** @format uuid */
  endpoint_id: string
  event_type: string
  last_attempt: {
    /** @format date-time */
    timestamp: string
    /** null when no answer came. */
    response_status_code: number | null
  }
}

export interface BasalBodyTemperatureGroupEvent {
  source: Source
  data: BasalBodyTemperatureSample[]
  /** @format uuid */
  user_id: string
}

/** Body temperature at rest, right after waking. */
export interface BasalBodyTemperatureSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: '°C'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface BloodOxygenGroupEvent {
  source: Source
  data: BloodOxygenSample[]
  /** @format uuid */
  user_id: string
}

/** Oxygen saturation (SpO2). */
export interface BloodOxygenSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: '%'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface BloodPressureGroupEvent {
  source: Source
  data: BloodPressureSample[]
  /** @format uuid */
  user_id: string
}

/** Systolic and diastolic pressure. */
export interface BloodPressureSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'mmHg'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  systolic: number
  diastolic: number
  /** Source type, workout id, sport and device id of the group. */
  grouping: (string | null)[]
}

export interface Body {
  /** @format uuid */
  id: string
  /** @format uuid */
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
  /** kg/m² */
  body_mass_index: number | null
  /** kg */
  lean_body_mass_kilogram: number | null
  /** cm */
  waist_circumference_centimeter: number | null
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

export interface BodyFatGroupEvent {
  source: Source
  data: BodyFatSample[]
  /** @format uuid */
  user_id: string
}

/** Body fat percentage. */
export interface BodyFatSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: '%'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface BodyMassIndexGroupEvent {
  source: Source
  data: BodyMassIndexSample[]
  /** @format uuid */
  user_id: string
}

/** Body mass index. */
export interface BodyMassIndexSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'index'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface BodyTemperatureDeltaGroupEvent {
  source: Source
  data: BodyTemperatureDeltaSample[]
  /** @format uuid */
  user_id: string
}

/** Deviation from the person's baseline temperature. */
export interface BodyTemperatureDeltaSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: '°C'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
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

export interface BodyTemperatureGroupEvent {
  source: Source
  data: BodyTemperatureSample[]
  /** @format uuid */
  user_id: string
}

/** Body temperature. */
export interface BodyTemperatureSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: '°C'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
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

export interface BodyWeightGroupEvent {
  source: Source
  data: BodyWeightSample[]
  /** @format uuid */
  user_id: string
}

/** Body mass. */
export interface BodyWeightSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'kg'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface CaffeineGroupEvent {
  source: Source
  data: CaffeineSample[]
  /** @format uuid */
  user_id: string
}

/** Caffeine taken in. */
export interface CaffeineSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'g'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface CaloriesActiveGroupEvent {
  source: Source
  data: CaloriesActiveSample[]
  /** @format uuid */
  user_id: string
}

/** Energy burned by activity. */
export interface CaloriesActiveSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'kcal'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface CaloriesBasalGroupEvent {
  source: Source
  data: CaloriesBasalSample[]
  /** @format uuid */
  user_id: string
}

/** Energy burned at rest. */
export interface CaloriesBasalSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'kcal'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface CarbohydratesGroupEvent {
  source: Source
  data: CarbohydratesSample[]
  /** @format uuid */
  user_id: string
}

/** Carbohydrates taken in. */
export interface CarbohydratesSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'g'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface CervicalMucus {
  /** @format date */
  date: string
  quality: 'dry' | 'sticky' | 'creamy' | 'watery' | 'egg_white'
}

export interface CholesterolGroupEvent {
  source: Source
  data: CholesterolSample[]
  /** @format uuid */
  user_id: string
}

/** Blood lipids. */
export interface CholesterolSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: 'cholesterol/ldl' | 'cholesterol/hdl' | 'cholesterol/total' | 'cholesterol/triglycerides'
  unit: 'mmol/L'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface ConnectionCreated {
  /** @format uuid */
  user_id: string
  provider: ProviderRef
  /**
   * As provider.
   * @deprecated
   */
  source: {
    name: string
    slug: string
    /** URL of an image. */
    logo: string
  }
  external_user_id: string | null
  resource_availability: Record<string, ResourceAvailability>
}

export interface ConnectionError {
  /** @format uuid */
  user_id: string
  /** Provider slug. */
  provider: string
  message: string
  error_type: string
  error_details: string
}

export interface Contraceptive {
  /** @format date */
  date: string
  type: 'unspecified' | 'implant' | 'injection' | 'iud' | 'intravaginal_ring' | 'oral' | 'patch'
}

export interface CriticalResult {
  /** @format uuid */
  order_id: string
  sample_id: string
  status: 'final' | 'partial'
  /** Always critical. */
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown'
  /** @format uuid */
  team_id: string
  /** @format uuid */
  user_id: string
  /**
   * Of the first version.
   * @format date-time
   */
  created_at: string
  /**
   * Of this version.
   * @format date-time
   */
  updated_at: string
}

export interface CycleBasalBodyTemperature {
  /** @format date */
  date: string
  /** °C */
  value: number
}

export interface DaylightExposureGroupEvent {
  source: Source
  data: DaylightExposureSample[]
  /** @format uuid */
  user_id: string
}

/** Time in daylight. */
export interface DaylightExposureSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'min'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface DetectedDeviation {
  /** @format date */
  date: string
  deviation:
    | 'persistent_intermenstrual_bleeding'
    | 'prolonged_menstrual_periods'
    | 'irregular_menstrual_cycles'
    | 'infrequent_menstrual_cycles'
}

export interface Device {
  /** @format uuid */
  id: string
  /** @format uuid */
  user_id: string
  provider: string
  source_type: string
  app_id: string | null
  device_manufacturer: string | null
  device_model: string | null
  device_version: string | null
  device_id: string | null
}

export interface DistanceGroupEvent {
  source: Source
  data: DistanceSample[]
  /** @format uuid */
  user_id: string
}

/** Distance covered on foot or by wheelchair. */
export interface DistanceSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'm'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface Electrocardiogram {
  /** @format uuid */
  id: string
  /** @format uuid */
  user_id: string
  /** @format date-time */
  session_start: string
  /** @format date-time */
  session_end: string
  /** Samples. */
  voltage_sample_count: number
  /** bpm */
  heart_rate_mean: number | null
  /** Hz */
  sampling_frequency_hz: number | null
  classification: 'sinus_rhythm' | 'atrial_fibrillation' | 'inconclusive' | null
  inconclusive_cause: 'high_heart_rate' | 'low_heart_rate' | 'poor_reading' | null
  algorithm_version: string | null
  /** IANA time zone. */
  time_zone: string | null
  /** Provider slug. */
  source_provider: string
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
  source_app_id: string | null
  /** @format uuid */
  source_device_id: string | null
  source_device_model: string | null
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

export interface ElectrocardiogramVoltageGroupEvent {
  source: Source
  data: ElectrocardiogramVoltageSample[]
  /** @format uuid */
  user_id: string
}

/** Lead voltage; the type names the lead. */
export interface ElectrocardiogramVoltageSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: string
  unit: 'mV'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface FallGroupEvent {
  source: Source
  data: FallSample[]
  /** @format uuid */
  user_id: string
}

/** Falls. */
export interface FallSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
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
  /** g */
  total: number | null
}

export interface FloorsClimbedGroupEvent {
  source: Source
  data: FloorsClimbedSample[]
  /** @format uuid */
  user_id: string
}

/** Floors climbed. */
export interface FloorsClimbedSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface Food {
  energy: MealEnergy | null
  macros: Macros | null
  micros: Micros | null
}

export interface ForcedExpiratoryVolume1GroupEvent {
  source: Source
  data: ForcedExpiratoryVolume1Sample[]
  /** @format uuid */
  user_id: string
}

/** Volume breathed out in the first second of a forced breath. */
export interface ForcedExpiratoryVolume1Sample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'L'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface ForcedVitalCapacityGroupEvent {
  source: Source
  data: ForcedVitalCapacitySample[]
  /** @format uuid */
  user_id: string
}

/** Volume breathed out in a whole forced breath. */
export interface ForcedVitalCapacitySample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'L'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface GlucoseGroupEvent {
  source: Source
  data: GlucoseSample[]
  /** @format uuid */
  user_id: string
}

/** Blood or interstitial glucose. */
export interface GlucoseSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: 'automatic' | 'manual_scan' | 'fingerprick' | null
  unit: 'mmol/L'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface GuarantorDetails {
  first_name: string
  last_name: string
  address: Address
  phone_number: string
  email: string | null
  household_income: number | null
  household_size: number | null
}

export interface HandwashingGroupEvent {
  source: Source
  data: HandwashingSample[]
  /** @format uuid */
  user_id: string
}

/** Times hands were washed. */
export interface HandwashingSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface HeartRateAlertGroupEvent {
  source: Source
  data: HeartRateAlertSample[]
  /** @format uuid */
  user_id: string
}

/** An alert that the device raised. */
export interface HeartRateAlertSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: 'low_heart_rate' | 'high_heart_rate' | 'irregular_rhythm'
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface HeartRateRecoveryOneMinuteGroupEvent {
  source: Source
  data: HeartRateRecoveryOneMinuteSample[]
  /** @format uuid */
  user_id: string
}

/** Drop of the heart rate one minute after exercise, in beats per minute. */
export interface HeartRateRecoveryOneMinuteSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface HeartrateGroupEvent {
  source: Source
  data: HeartrateSample[]
  /** @format uuid */
  user_id: string
}

/** Heart rate. */
export interface HeartrateSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'bpm'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface HistoricalPullCompleted {
  /** @format uuid */
  user_id: string
  /** @format date-time */
  start_date: string
  /** @format date-time */
  end_date: string
  /** Provider slug. */
  provider: string
  /**
   * Always true.
   * @deprecated
   */
  is_final: boolean
}

export interface HomePregnancyTest {
  /** @format date */
  date: string
  test_result: 'negative' | 'positive' | 'indeterminate'
}

export interface HomeProgesteroneTest {
  /** @format date */
  date: string
  test_result: 'negative' | 'positive' | 'indeterminate'
}

export interface HrvGroupEvent {
  source: Source
  data: HrvSample[]
  /** @format uuid */
  user_id: string
}

/** Heart rate variability in milliseconds. */
export interface HrvSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'rmssd'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
  method: 'rmssd' | 'sdnn' | null
}

export interface IgeGroupEvent {
  source: Source
  data: IgeSample[]
  /** @format uuid */
  user_id: string
}

/** Immunoglobulin E; the type names the allergen. */
export interface IgeSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: string
  unit: 'FSU'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface IggGroupEvent {
  source: Source
  data: IggSample[]
  /** @format uuid */
  user_id: string
}

/** Immunoglobulin G; the type names the food. */
export interface IggSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: string
  unit: 'FSU'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface InhalerUsageGroupEvent {
  source: Source
  data: InhalerUsageSample[]
  /** @format uuid */
  user_id: string
}

/** Puffs of an inhaler. */
export interface InhalerUsageSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface InsulinInjectionGroupEvent {
  source: Source
  data: InsulinInjectionSample[]
  /** @format uuid */
  user_id: string
}

/** Insulin given. */
export interface InsulinInjectionSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: 'rapid_acting' | 'long_acting'
  unit: 'unit'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
  delivery_mode: 'basal' | 'bolus' | null
  delivery_form: 'standard' | 'extended' | null
  bolus_purpose: 'meal' | 'correction' | 'mixed' | 'unknown' | null
}

export interface IntermenstrualBleeding {
  /** @format date */
  date: string
}

export interface Lab {
  id: number
  slug: string
  name: string
  first_line_address: string
  city: string
  zipcode: string
  collection_methods: ('testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection')[]
  sample_types: ('dried_blood_spot' | 'arm_collector' | 'serum' | 'saliva' | 'urine' | 'stool')[]
  logo_url: string | null
}

export interface LabReportResult {
  /** Name of the analyte, as printed. */
  test_name: string
  /** As printed. */
  value: string
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
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  /** Null when not decidable. */
  is_above_max_range: boolean | null
  /** Null when not decidable. */
  is_below_min_range: boolean | null
}

export interface LabTest {
  /** @format uuid */
  id: string
  slug: string
  name: string
  sample_type: 'dried_blood_spot' | 'arm_collector' | 'serum' | 'saliva' | 'urine' | 'stool'
  method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  /** US dollars. */
  price: number
  /**
   * As `status` is active.
   * @deprecated
   */
  is_active: boolean
  status: 'active' | 'pending_approval' | 'inactive'
  fasting: boolean
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
  description: string | null
}

export interface LeanBodyMassGroupEvent {
  source: Source
  data: LeanBodyMassSample[]
  /** @format uuid */
  user_id: string
}

/** Body mass without fat. */
export interface LeanBodyMassSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'kg'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface LngLat {
  lng: number
  lat: number
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

export interface Marker {
  id: number
  name: string
  slug: string
  /** The name, where there is no other. */
  description: string
  lab_id: number | null
  /** The laboratory's orderable code. */
  provider_id: string | null
  type: 'biomarker' | 'panel' | null
  unit: string | null
  /** Decimal text, US dollars, or `N/A`. */
  price: string | null
  aoe: AoE | null
  a_la_carte_enabled: boolean
  common_tat_days: number | null
  worst_case_tat_days: number | null
  is_orderable: boolean | null
}

export interface MatchReview {
  /** @format uuid */
  id: string
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
  resolution_action: 'accept' | 'reject' | 'unsure' | null
  /** @format uuid */
  resolved_user_id: string | null
  /** @format uuid */
  resolved_order_id: string | null
}

export interface Meal {
  /** @format uuid */
  id: string
  /** @format uuid */
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
  /** @format date-time */
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
  source_app_id: string | null
  /** @format uuid */
  source_device_id: string | null
}

export interface MealEnergy {
  unit: 'kcal'
  value: number
}

export interface MenstrualCycle {
  /** @format uuid */
  id: string
  /** @format uuid */
  user_id: string
  /** @format date */
  period_start: string
  /** @format date */
  period_end: string | null
  /** @format date */
  cycle_end: string | null
  is_predicted: boolean
  menstrual_flow: MenstrualFlow[]
  cervical_mucus: CervicalMucus[]
  intermenstrual_bleeding: IntermenstrualBleeding[]
  contraceptive: Contraceptive[]
  detected_deviations: DetectedDeviation[]
  ovulation_test: OvulationTest[]
  home_pregnancy_test: HomePregnancyTest[]
  home_progesterone_test: HomeProgesteroneTest[]
  sexual_activity: SexualActivity[]
  basal_body_temperature: CycleBasalBodyTemperature[]
  /** Provider slug. */
  source_provider: string
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
  source_app_id: string | null
  /** @format uuid */
  source_device_id: string | null
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

export interface MenstrualFlow {
  /** @format date */
  date: string
  flow: 'unspecified' | 'none' | 'light' | 'medium' | 'heavy'
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

export interface MindfulnessMinutesGroupEvent {
  source: Source
  data: MindfulnessMinutesSample[]
  /** @format uuid */
  user_id: string
}

/** Time spent in mindfulness. */
export interface MindfulnessMinutesSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'min'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface MobileSessionEnded {
  /** @format uuid */
  user_id: string
  /**
   * The session, as the audit log names it.
   * @format uuid
   */
  session_id: string
  /**
   * `refresh_token_reused`: a refresh token came again after its grace, so that two hold a copy;
   * `revoked`: the team ended the sessions of the person.
   */
  reason: 'refresh_token_reused' | 'revoked'
  /** @format date-time */
  ended_at: string
}

export interface NoteGroupEvent {
  source: Source
  data: NoteSample[]
  /** @format uuid */
  user_id: string
}

/** A note of the person. */
export interface NoteSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'text'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: string
  tags: ('food' | 'exercise' | 'insulin_injection' | 'unspecified')[] | null
}

export interface Order {
  /** @format uuid */
  user_id: string
  /** @format uuid */
  id: string
  /** @format uuid */
  team_id: string
  patient_details: OrderPatientDetails | null
  patient_address: OrderPatientAddress | null
  lab_test: LabTest
  /**
   * `data.shipment` is there for test kits, `data.appointment_id` for walk-in tests and phlebotomy.
   */
  details: OrderDetails
  sample_id: string | null
  notes: string | null
  clinical_notes: string | null
  /** @format date-time */
  created_at: string
  /** @format date-time */
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
  physician: Physician | null
  /** @format uuid */
  health_insurance_id: string | null
  /** @deprecated */
  requisition_form_url: string | null
  priority: boolean
  shipping_details: OrderShippingDetails | null
  /** @format date */
  activate_by: string | null
  passthrough: string | null
  billing_type: 'client_bill' | 'commercial_insurance' | 'patient_bill_passthrough' | 'patient_bill'
  icd_codes: string[] | null
  has_abn: boolean
  interpretation: 'normal' | 'abnormal' | 'critical' | 'unknown' | null
  has_missing_results: boolean | null
  /** @format date */
  expected_result_by_date: string | null
  /** @format date */
  worst_case_result_by_date: string | null
  origin: 'initial' | 'redraw' | 'recreation'
  order_transaction: OrderTransaction
}

/**
 * `data.shipment` is there for test kits, `data.appointment_id` for walk-in tests and phlebotomy.
 */
export interface OrderDetails {
  type: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  data: {
    /** @format uuid */
    id: string
    shipment?: Shipment | null
    /** @format uuid */
    appointment_id?: string | null
    /** @format date-time */
    created_at: string
    /** @format date-time */
    updated_at: string
  }
}

export interface OrderDispatchFailure {
  /** @format uuid */
  order_id: string
  lab: string
  reason: 'lab_not_connected' | 'not_reached' | 'sample_id_taken'
  /** @format date-time */
  failed_at: string
}

export interface OrderEvent {
  id: number
  /** @format date-time */
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

export interface OrderInTransaction {
  /** @format uuid */
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
  /** @format date-time */
  created_at: string
  /** @format date-time */
  updated_at: string
}

export interface OrderPatientAddress {
  receiver_name: string
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip: string
  country: string
  access_notes: string | null
  phone_number: string | null
}

export interface OrderPatientDetails {
  first_name: string | null
  last_name: string | null
  /** @format date */
  dob: string
  gender: string
  phone_number: string | null
  email: string | null
  medical_proxy: GuarantorDetails | null
  race: string | null
  ethnicity: string | null
  sexual_orientation: string | null
  gender_identity: string | null
}

export interface OrderShippingDetails {
  receiver_name: string
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip: string
  country: string
  phone_number: string
}

export interface OrderTransaction {
  /** @format uuid */
  id: string
  status: 'active' | 'completed' | 'cancelled'
  orders: OrderInTransaction[]
}

export interface OvulationTest {
  /** @format date */
  date: string
  test_result:
    | 'negative'
    | 'positive'
    | 'luteinizing_hormone_surge'
    | 'estrogen_surge'
    | 'indeterminate'
}

export interface ParsedLabReportData {
  metadata: ResultMetadata
  results: LabReportResult[]
}

export interface ParsingJob {
  /** @format uuid */
  id: string
  /**
   * The same as `id`.
   * @format uuid
   */
  job_id: string
  /** @format uuid */
  user_id: string
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
  /** How the patient of a report fits the person that it was uploaded for. */
  patient_match: PatientMatch | null
  progress: ParsingProgress | null
  /** @format date-time */
  created_at: string
  /** @format date-time */
  updated_at: string
  data: ParsedLabReportData | null
}

export interface ParsingProgress {
  pages_read: number
  pages: number
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
  name: PatientFieldMatch
  birth_date: PatientFieldMatch
  sex: PatientFieldMatch
  /** The report names further patients. */
  has_other_patients: boolean
  /** A reviewer has confirmed that the report is this person's. */
  is_confirmed: boolean
}

export interface PeakExpiratoryFlowRateGroupEvent {
  source: Source
  data: PeakExpiratoryFlowRateSample[]
  /** @format uuid */
  user_id: string
}

/** Highest flow of a forced breath. */
export interface PeakExpiratoryFlowRateSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'L/min'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface Physician {
  first_name: string
  last_name: string
  npi: string
}

export interface Profile {
  /** @format uuid */
  id: string
  /** @format uuid */
  user_id: string
  /** cm */
  height: number | null
  /** @format date */
  birth_date: string | null
  /** true or null, never false. */
  wheelchair_use: boolean | null
  gender: 'female' | 'male' | 'other' | 'unknown' | null
  sex: 'female' | 'male' | 'other' | null
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

export interface ProviderRef {
  name: string
  slug: string
  /** URL of an image. */
  logo: string
}

export interface Question {
  id: number
  required: boolean
  code: string
  value: string
  type: 'choice' | 'text' | 'numeric' | 'multi_choice'
  sequence: number
  answers: {
    id: number
    /** What is sent back. */
    code: string
    /** What people read. */
    value: string
  }[]
  constraint: string | null
  default: string | null
}

export interface ResourceAvailability {
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

export interface RespiratoryRateGroupEvent {
  source: Source
  data: RespiratoryRateSample[]
  /** @format uuid */
  user_id: string
}

/** Breaths per minute. */
export interface RespiratoryRateSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'bpm'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
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

export interface ResultTableChange {
  /** @format uuid */
  query_id: string
  query_slug: string
  /** The rows that are new or changed, as columns; group keys tell which they are. */
  data: Record<string, unknown[]>
}

export interface SexualActivity {
  /** @format date */
  date: string
  protection_used: boolean | null
}

export interface ShallowWorkoutStream {
  /** @format uuid */
  user_id: string
  /** @format uuid */
  workout_id: string
  /** The provider's id of the workout. */
  provider_id: string
  /** Where to read the stream. */
  message: string
  source: Source
  sport: Sport
}

export interface Shipment {
  /** @format uuid */
  id: string
  outbound_tracking_number: string | null
  outbound_tracking_url: string | null
  inbound_tracking_number: string | null
  inbound_tracking_url: string | null
  outbound_courier: string | null
  inbound_courier: string | null
  notes: string | null
  /** @format date-time */
  created_at: string
  /** @format date-time */
  updated_at: string
}

export interface Sleep {
  /** @format uuid */
  id: string
  /** @format uuid */
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
  /** @format date-time */
  bedtime_start: string
  /** @format date-time */
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

export interface SleepApneaAlertGroupEvent {
  source: Source
  data: SleepApneaAlertSample[]
  /** @format uuid */
  user_id: string
}

/** An alert of possible sleep apnea. */
export interface SleepApneaAlertSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface SleepBreathingDisturbanceGroupEvent {
  source: Source
  data: SleepBreathingDisturbanceSample[]
  /** @format uuid */
  user_id: string
}

/** Breathing disturbances during a night. */
export interface SleepBreathingDisturbanceSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: 'elevated' | 'not_elevated' | null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface SleepCycle {
  /** @format uuid */
  id: string
  /** @format uuid */
  sleep_id: string
  /** @format uuid */
  user_id: string
  /** @format date-time */
  session_start: string
  /** @format date-time */
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
  source_app_id: string | null
  /** @format uuid */
  source_device_id: string | null
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

export interface Source {
  provider: string
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
  app_id: string | null
  /** @format uuid */
  device_id: string | null
  sport: string | null
  /** @format uuid */
  workout_id: string | null
  /** @deprecated */
  name: string
  /** @deprecated */
  slug: string
  /** @deprecated */
  logo: string
}

export interface Sport {
  /**
   * May change; use the slug.
   * @deprecated
   */
  id: number
  name: string
  slug: string
}

export interface StandDurationGroupEvent {
  source: Source
  data: StandDurationSample[]
  /** @format uuid */
  user_id: string
}

/** Time spent standing. */
export interface StandDurationSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'min'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface StandHourGroupEvent {
  source: Source
  data: StandHourSample[]
  /** @format uuid */
  user_id: string
}

/** One sample an hour: did the person stand? */
export interface StandHourSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: 'stood' | 'idle'
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface StepsGroupEvent {
  source: Source
  data: StepsSample[]
  /** @format uuid */
  user_id: string
}

/** Steps. */
export interface StepsSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface StressLevelGroupEvent {
  source: Source
  data: StressLevelSample[]
  /** @format uuid */
  user_id: string
}

/** Stress as the provider scores it. */
export interface StressLevelSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: '%'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface USAddress {
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip_code: string
  /** @deprecated */
  unit: string | null
  access_notes: string | null
}

export interface UvExposureGroupEvent {
  source: Source
  data: UvExposureSample[]
  /** @format uuid */
  user_id: string
}

/** Ultraviolet index. */
export interface UvExposureSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'index'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface Vo2MaxGroupEvent {
  source: Source
  data: Vo2MaxSample[]
  /** @format uuid */
  user_id: string
}

/** Largest oxygen uptake. */
export interface Vo2MaxSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'mL/kg/min'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface WaistCircumferenceGroupEvent {
  source: Source
  data: WaistCircumferenceSample[]
  /** @format uuid */
  user_id: string
}

/** Waist circumference. */
export interface WaistCircumferenceSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'cm'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface WaterGroupEvent {
  source: Source
  data: WaterSample[]
  /** @format uuid */
  user_id: string
}

/** Water taken in. */
export interface WaterSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'ml'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface WheelchairPushGroupEvent {
  source: Source
  data: WheelchairPushSample[]
  /** @format uuid */
  user_id: string
}

/** Pushes of a wheelchair. */
export interface WheelchairPushSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface Workout {
  /** @format uuid */
  id: string
  /** @format uuid */
  user_id: string
  title: string | null
  /** Seconds east of UTC where the person was. */
  timezone_offset: number | null
  /** bpm */
  average_hr: number | null
  /** bpm */
  max_hr: number | null
  /** m */
  distance: number | null
  /**
   * Generally the local date of the start.
   * @format date
   */
  calendar_date: string
  /** @format date-time */
  time_start: string
  /** @format date-time */
  time_end: string
  /** kcal */
  calories: number | null
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
  map: WorkoutMap | null
  /** The provider's id of the workout. */
  provider_id: string
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

export interface WorkoutDistanceGroupEvent {
  source: Source
  data: WorkoutDistanceSample[]
  /** @format uuid */
  user_id: string
}

/** Distance within one workout. */
export interface WorkoutDistanceSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'm'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

export interface WorkoutDurationGroupEvent {
  source: Source
  data: WorkoutDurationSample[]
  /** @format uuid */
  user_id: string
}

/** Time of exercise. */
export interface WorkoutDurationSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'min'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
  intensity: 'low' | 'medium' | 'high' | null
}

export interface WorkoutMap {
  /** Encoded polyline of the whole way. */
  polyline: string | null
  /** Encoded polyline with fewer points. */
  summary_polyline: string | null
}

export interface WorkoutSwimmingStrokeGroupEvent {
  source: Source
  data: WorkoutSwimmingStrokeSample[]
  /** @format uuid */
  user_id: string
}

/** Swimming strokes within one workout. */
export interface WorkoutSwimmingStrokeSample {
  /** @deprecated */
  id: null
  /** Seconds east of UTC. */
  timezone_offset: number | null
  type: null
  unit: 'count'
  /** @format date-time */
  timestamp: string
  /** @format date-time */
  start: string
  /** @format date-time */
  end: string
  value: number
}

/** What events carry in `data`. */
export interface EventDataByType {
  /** A person was connected to a provider, for the first time or again. */
  'provider.connection.created': ConnectionCreated
  /** A connection ended for a reason that no further try mends; connecting again does. */
  'provider.connection.error': ConnectionError
  /** Data named a device that was not known of the person. */
  'provider.device.created': Device
  /** A known device came with another software version; changes within 5 s are one event. */
  'provider.device.updated': Device
  /** The session of an app was ended before its time: the person has to sign in again. */
  'user.mobile_session.ended': MobileSessionEnded
  /** Samples of afib_burden were stored that were not there. */
  'daily.data.afib_burden.created': AfibBurdenGroupEvent
  /** Stored samples of afib_burden were replaced by newer versions. */
  'daily.data.afib_burden.updated': AfibBurdenGroupEvent
  /** The history of afib_burden is stored as far as the source has it; read it from the API. */
  'historical.data.afib_burden.created': HistoricalPullCompleted
  /** Samples of basal_body_temperature were stored that were not there. */
  'daily.data.basal_body_temperature.created': BasalBodyTemperatureGroupEvent
  /** Stored samples of basal_body_temperature were replaced by newer versions. */
  'daily.data.basal_body_temperature.updated': BasalBodyTemperatureGroupEvent
  /**
   * The history of basal_body_temperature is stored as far as the source has it; read it from the
   * API.
   */
  'historical.data.basal_body_temperature.created': HistoricalPullCompleted
  /** Samples of blood_oxygen were stored that were not there. */
  'daily.data.blood_oxygen.created': BloodOxygenGroupEvent
  /** Stored samples of blood_oxygen were replaced by newer versions. */
  'daily.data.blood_oxygen.updated': BloodOxygenGroupEvent
  /** The history of blood_oxygen is stored as far as the source has it; read it from the API. */
  'historical.data.blood_oxygen.created': HistoricalPullCompleted
  /** Samples of blood_pressure were stored that were not there. */
  'daily.data.blood_pressure.created': BloodPressureGroupEvent
  /** Stored samples of blood_pressure were replaced by newer versions. */
  'daily.data.blood_pressure.updated': BloodPressureGroupEvent
  /** The history of blood_pressure is stored as far as the source has it; read it from the API. */
  'historical.data.blood_pressure.created': HistoricalPullCompleted
  /** Samples of fat were stored that were not there. */
  'daily.data.fat.created': BodyFatGroupEvent
  /** Stored samples of fat were replaced by newer versions. */
  'daily.data.fat.updated': BodyFatGroupEvent
  /** The history of fat is stored as far as the source has it; read it from the API. */
  'historical.data.fat.created': HistoricalPullCompleted
  /** Samples of body_mass_index were stored that were not there. */
  'daily.data.body_mass_index.created': BodyMassIndexGroupEvent
  /** Stored samples of body_mass_index were replaced by newer versions. */
  'daily.data.body_mass_index.updated': BodyMassIndexGroupEvent
  /** The history of body_mass_index is stored as far as the source has it; read it from the API. */
  'historical.data.body_mass_index.created': HistoricalPullCompleted
  /** Samples of body_temperature were stored that were not there. */
  'daily.data.body_temperature.created': BodyTemperatureGroupEvent
  /** Stored samples of body_temperature were replaced by newer versions. */
  'daily.data.body_temperature.updated': BodyTemperatureGroupEvent
  /**
   * The history of body_temperature is stored as far as the source has it; read it from the API.
   */
  'historical.data.body_temperature.created': HistoricalPullCompleted
  /** Samples of body_temperature_delta were stored that were not there. */
  'daily.data.body_temperature_delta.created': BodyTemperatureDeltaGroupEvent
  /** Stored samples of body_temperature_delta were replaced by newer versions. */
  'daily.data.body_temperature_delta.updated': BodyTemperatureDeltaGroupEvent
  /**
   * The history of body_temperature_delta is stored as far as the source has it; read it from the
   * API.
   */
  'historical.data.body_temperature_delta.created': HistoricalPullCompleted
  /** Samples of weight were stored that were not there. */
  'daily.data.weight.created': BodyWeightGroupEvent
  /** Stored samples of weight were replaced by newer versions. */
  'daily.data.weight.updated': BodyWeightGroupEvent
  /** The history of weight is stored as far as the source has it; read it from the API. */
  'historical.data.weight.created': HistoricalPullCompleted
  /** Samples of caffeine were stored that were not there. */
  'daily.data.caffeine.created': CaffeineGroupEvent
  /** Stored samples of caffeine were replaced by newer versions. */
  'daily.data.caffeine.updated': CaffeineGroupEvent
  /** The history of caffeine is stored as far as the source has it; read it from the API. */
  'historical.data.caffeine.created': HistoricalPullCompleted
  /** Samples of calories_active were stored that were not there. */
  'daily.data.calories_active.created': CaloriesActiveGroupEvent
  /** Stored samples of calories_active were replaced by newer versions. */
  'daily.data.calories_active.updated': CaloriesActiveGroupEvent
  /** The history of calories_active is stored as far as the source has it; read it from the API. */
  'historical.data.calories_active.created': HistoricalPullCompleted
  /** Samples of calories_basal were stored that were not there. */
  'daily.data.calories_basal.created': CaloriesBasalGroupEvent
  /** Stored samples of calories_basal were replaced by newer versions. */
  'daily.data.calories_basal.updated': CaloriesBasalGroupEvent
  /** The history of calories_basal is stored as far as the source has it; read it from the API. */
  'historical.data.calories_basal.created': HistoricalPullCompleted
  /** Samples of carbohydrates were stored that were not there. */
  'daily.data.carbohydrates.created': CarbohydratesGroupEvent
  /** Stored samples of carbohydrates were replaced by newer versions. */
  'daily.data.carbohydrates.updated': CarbohydratesGroupEvent
  /** The history of carbohydrates is stored as far as the source has it; read it from the API. */
  'historical.data.carbohydrates.created': HistoricalPullCompleted
  /** Samples of cholesterol were stored that were not there. */
  'daily.data.cholesterol.created': CholesterolGroupEvent
  /** Stored samples of cholesterol were replaced by newer versions. */
  'daily.data.cholesterol.updated': CholesterolGroupEvent
  /** The history of cholesterol is stored as far as the source has it; read it from the API. */
  'historical.data.cholesterol.created': HistoricalPullCompleted
  /** Samples of daylight_exposure were stored that were not there. */
  'daily.data.daylight_exposure.created': DaylightExposureGroupEvent
  /** Stored samples of daylight_exposure were replaced by newer versions. */
  'daily.data.daylight_exposure.updated': DaylightExposureGroupEvent
  /**
   * The history of daylight_exposure is stored as far as the source has it; read it from the API.
   */
  'historical.data.daylight_exposure.created': HistoricalPullCompleted
  /** Samples of distance were stored that were not there. */
  'daily.data.distance.created': DistanceGroupEvent
  /** Stored samples of distance were replaced by newer versions. */
  'daily.data.distance.updated': DistanceGroupEvent
  /** The history of distance is stored as far as the source has it; read it from the API. */
  'historical.data.distance.created': HistoricalPullCompleted
  /** Samples of electrocardiogram_voltage were stored that were not there. */
  'daily.data.electrocardiogram_voltage.created': ElectrocardiogramVoltageGroupEvent
  /** Stored samples of electrocardiogram_voltage were replaced by newer versions. */
  'daily.data.electrocardiogram_voltage.updated': ElectrocardiogramVoltageGroupEvent
  /**
   * The history of electrocardiogram_voltage is stored as far as the source has it; read it from
   * the API.
   */
  'historical.data.electrocardiogram_voltage.created': HistoricalPullCompleted
  /** Samples of fall were stored that were not there. */
  'daily.data.fall.created': FallGroupEvent
  /** Stored samples of fall were replaced by newer versions. */
  'daily.data.fall.updated': FallGroupEvent
  /** The history of fall is stored as far as the source has it; read it from the API. */
  'historical.data.fall.created': HistoricalPullCompleted
  /** Samples of floors_climbed were stored that were not there. */
  'daily.data.floors_climbed.created': FloorsClimbedGroupEvent
  /** Stored samples of floors_climbed were replaced by newer versions. */
  'daily.data.floors_climbed.updated': FloorsClimbedGroupEvent
  /** The history of floors_climbed is stored as far as the source has it; read it from the API. */
  'historical.data.floors_climbed.created': HistoricalPullCompleted
  /** Samples of forced_expiratory_volume_1 were stored that were not there. */
  'daily.data.forced_expiratory_volume_1.created': ForcedExpiratoryVolume1GroupEvent
  /** Stored samples of forced_expiratory_volume_1 were replaced by newer versions. */
  'daily.data.forced_expiratory_volume_1.updated': ForcedExpiratoryVolume1GroupEvent
  /**
   * The history of forced_expiratory_volume_1 is stored as far as the source has it; read it from
   * the API.
   */
  'historical.data.forced_expiratory_volume_1.created': HistoricalPullCompleted
  /** Samples of forced_vital_capacity were stored that were not there. */
  'daily.data.forced_vital_capacity.created': ForcedVitalCapacityGroupEvent
  /** Stored samples of forced_vital_capacity were replaced by newer versions. */
  'daily.data.forced_vital_capacity.updated': ForcedVitalCapacityGroupEvent
  /**
   * The history of forced_vital_capacity is stored as far as the source has it; read it from the
   * API.
   */
  'historical.data.forced_vital_capacity.created': HistoricalPullCompleted
  /** Samples of glucose were stored that were not there. */
  'daily.data.glucose.created': GlucoseGroupEvent
  /** Stored samples of glucose were replaced by newer versions. */
  'daily.data.glucose.updated': GlucoseGroupEvent
  /** The history of glucose is stored as far as the source has it; read it from the API. */
  'historical.data.glucose.created': HistoricalPullCompleted
  /** Samples of handwashing were stored that were not there. */
  'daily.data.handwashing.created': HandwashingGroupEvent
  /** Stored samples of handwashing were replaced by newer versions. */
  'daily.data.handwashing.updated': HandwashingGroupEvent
  /** The history of handwashing is stored as far as the source has it; read it from the API. */
  'historical.data.handwashing.created': HistoricalPullCompleted
  /** Samples of heart_rate_alert were stored that were not there. */
  'daily.data.heart_rate_alert.created': HeartRateAlertGroupEvent
  /** Stored samples of heart_rate_alert were replaced by newer versions. */
  'daily.data.heart_rate_alert.updated': HeartRateAlertGroupEvent
  /**
   * The history of heart_rate_alert is stored as far as the source has it; read it from the API.
   */
  'historical.data.heart_rate_alert.created': HistoricalPullCompleted
  /** Samples of heart_rate_recovery_one_minute were stored that were not there. */
  'daily.data.heart_rate_recovery_one_minute.created': HeartRateRecoveryOneMinuteGroupEvent
  /** Stored samples of heart_rate_recovery_one_minute were replaced by newer versions. */
  'daily.data.heart_rate_recovery_one_minute.updated': HeartRateRecoveryOneMinuteGroupEvent
  /**
   * The history of heart_rate_recovery_one_minute is stored as far as the source has it; read it
   * from the API.
   */
  'historical.data.heart_rate_recovery_one_minute.created': HistoricalPullCompleted
  /** Samples of heartrate were stored that were not there. */
  'daily.data.heartrate.created': HeartrateGroupEvent
  /** Stored samples of heartrate were replaced by newer versions. */
  'daily.data.heartrate.updated': HeartrateGroupEvent
  /** The history of heartrate is stored as far as the source has it; read it from the API. */
  'historical.data.heartrate.created': HistoricalPullCompleted
  /** Samples of hrv were stored that were not there. */
  'daily.data.hrv.created': HrvGroupEvent
  /** Stored samples of hrv were replaced by newer versions. */
  'daily.data.hrv.updated': HrvGroupEvent
  /** The history of hrv is stored as far as the source has it; read it from the API. */
  'historical.data.hrv.created': HistoricalPullCompleted
  /** Samples of ige were stored that were not there. */
  'daily.data.ige.created': IgeGroupEvent
  /** Stored samples of ige were replaced by newer versions. */
  'daily.data.ige.updated': IgeGroupEvent
  /** The history of ige is stored as far as the source has it; read it from the API. */
  'historical.data.ige.created': HistoricalPullCompleted
  /** Samples of igg were stored that were not there. */
  'daily.data.igg.created': IggGroupEvent
  /** Stored samples of igg were replaced by newer versions. */
  'daily.data.igg.updated': IggGroupEvent
  /** The history of igg is stored as far as the source has it; read it from the API. */
  'historical.data.igg.created': HistoricalPullCompleted
  /** Samples of inhaler_usage were stored that were not there. */
  'daily.data.inhaler_usage.created': InhalerUsageGroupEvent
  /** Stored samples of inhaler_usage were replaced by newer versions. */
  'daily.data.inhaler_usage.updated': InhalerUsageGroupEvent
  /** The history of inhaler_usage is stored as far as the source has it; read it from the API. */
  'historical.data.inhaler_usage.created': HistoricalPullCompleted
  /** Samples of insulin_injection were stored that were not there. */
  'daily.data.insulin_injection.created': InsulinInjectionGroupEvent
  /** Stored samples of insulin_injection were replaced by newer versions. */
  'daily.data.insulin_injection.updated': InsulinInjectionGroupEvent
  /**
   * The history of insulin_injection is stored as far as the source has it; read it from the API.
   */
  'historical.data.insulin_injection.created': HistoricalPullCompleted
  /** Samples of lean_body_mass were stored that were not there. */
  'daily.data.lean_body_mass.created': LeanBodyMassGroupEvent
  /** Stored samples of lean_body_mass were replaced by newer versions. */
  'daily.data.lean_body_mass.updated': LeanBodyMassGroupEvent
  /** The history of lean_body_mass is stored as far as the source has it; read it from the API. */
  'historical.data.lean_body_mass.created': HistoricalPullCompleted
  /** Samples of mindfulness_minutes were stored that were not there. */
  'daily.data.mindfulness_minutes.created': MindfulnessMinutesGroupEvent
  /** Stored samples of mindfulness_minutes were replaced by newer versions. */
  'daily.data.mindfulness_minutes.updated': MindfulnessMinutesGroupEvent
  /**
   * The history of mindfulness_minutes is stored as far as the source has it; read it from the API.
   */
  'historical.data.mindfulness_minutes.created': HistoricalPullCompleted
  /** Samples of note were stored that were not there. */
  'daily.data.note.created': NoteGroupEvent
  /** Stored samples of note were replaced by newer versions. */
  'daily.data.note.updated': NoteGroupEvent
  /** The history of note is stored as far as the source has it; read it from the API. */
  'historical.data.note.created': HistoricalPullCompleted
  /** Samples of peak_expiratory_flow_rate were stored that were not there. */
  'daily.data.peak_expiratory_flow_rate.created': PeakExpiratoryFlowRateGroupEvent
  /** Stored samples of peak_expiratory_flow_rate were replaced by newer versions. */
  'daily.data.peak_expiratory_flow_rate.updated': PeakExpiratoryFlowRateGroupEvent
  /**
   * The history of peak_expiratory_flow_rate is stored as far as the source has it; read it from
   * the API.
   */
  'historical.data.peak_expiratory_flow_rate.created': HistoricalPullCompleted
  /** Samples of respiratory_rate were stored that were not there. */
  'daily.data.respiratory_rate.created': RespiratoryRateGroupEvent
  /** Stored samples of respiratory_rate were replaced by newer versions. */
  'daily.data.respiratory_rate.updated': RespiratoryRateGroupEvent
  /**
   * The history of respiratory_rate is stored as far as the source has it; read it from the API.
   */
  'historical.data.respiratory_rate.created': HistoricalPullCompleted
  /** Samples of sleep_apnea_alert were stored that were not there. */
  'daily.data.sleep_apnea_alert.created': SleepApneaAlertGroupEvent
  /** Stored samples of sleep_apnea_alert were replaced by newer versions. */
  'daily.data.sleep_apnea_alert.updated': SleepApneaAlertGroupEvent
  /**
   * The history of sleep_apnea_alert is stored as far as the source has it; read it from the API.
   */
  'historical.data.sleep_apnea_alert.created': HistoricalPullCompleted
  /** Samples of sleep_breathing_disturbance were stored that were not there. */
  'daily.data.sleep_breathing_disturbance.created': SleepBreathingDisturbanceGroupEvent
  /** Stored samples of sleep_breathing_disturbance were replaced by newer versions. */
  'daily.data.sleep_breathing_disturbance.updated': SleepBreathingDisturbanceGroupEvent
  /**
   * The history of sleep_breathing_disturbance is stored as far as the source has it; read it from
   * the API.
   */
  'historical.data.sleep_breathing_disturbance.created': HistoricalPullCompleted
  /** Samples of stand_duration were stored that were not there. */
  'daily.data.stand_duration.created': StandDurationGroupEvent
  /** Stored samples of stand_duration were replaced by newer versions. */
  'daily.data.stand_duration.updated': StandDurationGroupEvent
  /** The history of stand_duration is stored as far as the source has it; read it from the API. */
  'historical.data.stand_duration.created': HistoricalPullCompleted
  /** Samples of stand_hour were stored that were not there. */
  'daily.data.stand_hour.created': StandHourGroupEvent
  /** Stored samples of stand_hour were replaced by newer versions. */
  'daily.data.stand_hour.updated': StandHourGroupEvent
  /** The history of stand_hour is stored as far as the source has it; read it from the API. */
  'historical.data.stand_hour.created': HistoricalPullCompleted
  /** Samples of steps were stored that were not there. */
  'daily.data.steps.created': StepsGroupEvent
  /** Stored samples of steps were replaced by newer versions. */
  'daily.data.steps.updated': StepsGroupEvent
  /** The history of steps is stored as far as the source has it; read it from the API. */
  'historical.data.steps.created': HistoricalPullCompleted
  /** Samples of stress_level were stored that were not there. */
  'daily.data.stress_level.created': StressLevelGroupEvent
  /** Stored samples of stress_level were replaced by newer versions. */
  'daily.data.stress_level.updated': StressLevelGroupEvent
  /** The history of stress_level is stored as far as the source has it; read it from the API. */
  'historical.data.stress_level.created': HistoricalPullCompleted
  /** Samples of uv_exposure were stored that were not there. */
  'daily.data.uv_exposure.created': UvExposureGroupEvent
  /** Stored samples of uv_exposure were replaced by newer versions. */
  'daily.data.uv_exposure.updated': UvExposureGroupEvent
  /** The history of uv_exposure is stored as far as the source has it; read it from the API. */
  'historical.data.uv_exposure.created': HistoricalPullCompleted
  /** Samples of vo2_max were stored that were not there. */
  'daily.data.vo2_max.created': Vo2MaxGroupEvent
  /** Stored samples of vo2_max were replaced by newer versions. */
  'daily.data.vo2_max.updated': Vo2MaxGroupEvent
  /** The history of vo2_max is stored as far as the source has it; read it from the API. */
  'historical.data.vo2_max.created': HistoricalPullCompleted
  /** Samples of waist_circumference were stored that were not there. */
  'daily.data.waist_circumference.created': WaistCircumferenceGroupEvent
  /** Stored samples of waist_circumference were replaced by newer versions. */
  'daily.data.waist_circumference.updated': WaistCircumferenceGroupEvent
  /**
   * The history of waist_circumference is stored as far as the source has it; read it from the API.
   */
  'historical.data.waist_circumference.created': HistoricalPullCompleted
  /** Samples of water were stored that were not there. */
  'daily.data.water.created': WaterGroupEvent
  /** Stored samples of water were replaced by newer versions. */
  'daily.data.water.updated': WaterGroupEvent
  /** The history of water is stored as far as the source has it; read it from the API. */
  'historical.data.water.created': HistoricalPullCompleted
  /** Samples of wheelchair_push were stored that were not there. */
  'daily.data.wheelchair_push.created': WheelchairPushGroupEvent
  /** Stored samples of wheelchair_push were replaced by newer versions. */
  'daily.data.wheelchair_push.updated': WheelchairPushGroupEvent
  /** The history of wheelchair_push is stored as far as the source has it; read it from the API. */
  'historical.data.wheelchair_push.created': HistoricalPullCompleted
  /** Samples of workout_distance were stored that were not there. */
  'daily.data.workout_distance.created': WorkoutDistanceGroupEvent
  /** Stored samples of workout_distance were replaced by newer versions. */
  'daily.data.workout_distance.updated': WorkoutDistanceGroupEvent
  /**
   * The history of workout_distance is stored as far as the source has it; read it from the API.
   */
  'historical.data.workout_distance.created': HistoricalPullCompleted
  /** Samples of workout_duration were stored that were not there. */
  'daily.data.workout_duration.created': WorkoutDurationGroupEvent
  /** Stored samples of workout_duration were replaced by newer versions. */
  'daily.data.workout_duration.updated': WorkoutDurationGroupEvent
  /**
   * The history of workout_duration is stored as far as the source has it; read it from the API.
   */
  'historical.data.workout_duration.created': HistoricalPullCompleted
  /** Samples of workout_swimming_stroke were stored that were not there. */
  'daily.data.workout_swimming_stroke.created': WorkoutSwimmingStrokeGroupEvent
  /** Stored samples of workout_swimming_stroke were replaced by newer versions. */
  'daily.data.workout_swimming_stroke.updated': WorkoutSwimmingStrokeGroupEvent
  /**
   * The history of workout_swimming_stroke is stored as far as the source has it; read it from the
   * API.
   */
  'historical.data.workout_swimming_stroke.created': HistoricalPullCompleted
  /** A day of activity was stored that was not there. */
  'daily.data.activity.created': Activity
  /** A stored day of activity was replaced by a newer version. */
  'daily.data.activity.updated': Activity
  /** The history of activity is stored as far as the source has it; read it from the API. */
  'historical.data.activity.created': HistoricalPullCompleted
  /** A sleep was stored that was not there. */
  'daily.data.sleep.created': Sleep
  /** A stored sleep was replaced by a newer version. */
  'daily.data.sleep.updated': Sleep
  /** The history of sleep is stored as far as the source has it; read it from the API. */
  'historical.data.sleep.created': HistoricalPullCompleted
  /** A workout was stored that was not there. */
  'daily.data.workouts.created': Workout
  /** A stored workout was replaced by a newer version. */
  'daily.data.workouts.updated': Workout
  /** The history of workouts is stored as far as the source has it; read it from the API. */
  'historical.data.workouts.created': HistoricalPullCompleted
  /** A body measurement was stored that was not there. */
  'daily.data.body.created': Body
  /** A stored body measurement was replaced by a newer version. */
  'daily.data.body.updated': Body
  /** The history of body is stored as far as the source has it; read it from the API. */
  'historical.data.body.created': HistoricalPullCompleted
  /** A meal was stored that was not there. */
  'daily.data.meal.created': Meal
  /** A stored meal was replaced by a newer version. */
  'daily.data.meal.updated': Meal
  /** The history of meal is stored as far as the source has it; read it from the API. */
  'historical.data.meal.created': HistoricalPullCompleted
  /** A menstrual cycle was stored that was not there. */
  'daily.data.menstrual_cycle.created': MenstrualCycle
  /** A stored menstrual cycle was replaced by a newer version. */
  'daily.data.menstrual_cycle.updated': MenstrualCycle
  /** The history of menstrual_cycle is stored as far as the source has it; read it from the API. */
  'historical.data.menstrual_cycle.created': HistoricalPullCompleted
  /** A profile was stored that was not there. */
  'daily.data.profile.created': Profile
  /** A stored profile was replaced by a newer version. */
  'daily.data.profile.updated': Profile
  /** The history of profile is stored as far as the source has it; read it from the API. */
  'historical.data.profile.created': HistoricalPullCompleted
  /** A recording of an electrocardiogram was stored that was not there. */
  'daily.data.electrocardiogram.created': Electrocardiogram
  /** A stored recording of an electrocardiogram was replaced by a newer version. */
  'daily.data.electrocardiogram.updated': Electrocardiogram
  /**
   * The history of electrocardiogram is stored as far as the source has it; read it from the API.
   */
  'historical.data.electrocardiogram.created': HistoricalPullCompleted
  /** A sleep cycle was stored that was not there. */
  'daily.data.sleep_cycle.created': SleepCycle
  /** A stored sleep cycle was replaced by a newer version. */
  'daily.data.sleep_cycle.updated': SleepCycle
  /** The history of sleep_cycle is stored as far as the source has it; read it from the API. */
  'historical.data.sleep_cycle.created': HistoricalPullCompleted
  /** A workout stream was stored that was not there. */
  'daily.data.workout_stream.created': ShallowWorkoutStream
  /** A stored workout stream was replaced by a newer version. */
  'daily.data.workout_stream.updated': ShallowWorkoutStream
  /** The history of workout_stream is stored as far as the source has it; read it from the API. */
  'historical.data.workout_stream.created': HistoricalPullCompleted
  /** An evaluation of a continuous query made or changed rows. Rows that vanished are not told. */
  'continuous_query.result_table.changed': ResultTableChange[]
  /** An order was stored: placed, imported, a redraw, or the replacement of another one. */
  'labtest.order.created': Order
  /**
   * The status of an order changed; one for each of its events. Partial results are emitted only
   * for teams that asked for them.
   */
  'labtest.order.updated': Order
  /**
   * It was given up to hand an order over to its laboratory. It keeps its status, and waits for the
   * operator, who finds it in the list of stuck orders.
   */
  'labtest.order.dispatch_failed': OrderDispatchFailure
  /** An appointment was booked or requested. */
  'labtest.appointment.created': Appointment
  /**
   * An appointment has a status, its first one included, was moved, or its notes or number changed.
   */
  'labtest.appointment.updated': Appointment
  /**
   * An appointment begins in 24 hours. Not for one whose time was set or changed later than that.
   */
  'labtest.appointment.reminder': Appointment
  /**
   * A version of a result, partial or final, has a critical value that the version before had not.
   */
  'labtest.result.critical': CriticalResult
  /**
   * A result that matches no order safely waits for the team. The user is named where it is known.
   */
  'labtest.match_review.created': MatchReview
  /**
   * The review of a result that the team can see changed its status. The user is named where known.
   */
  'labtest.match_review.updated': MatchReview
  /** The file of a lab report was stored, and reading it has started. */
  'lab_report.parsing_job.created': ParsingJob
  /** The parsing of a lab report was completed, has failed, or waits for a reviewer. */
  'lab_report.parsing_job.updated': ParsingJob
  /** All attempts to deliver a message failed; sent to the other endpoints of the team. */
  'message.attempt.exhausted': AttemptExhausted
}

/** Every event that this version knows. */
export const EVENT_TYPES: readonly (keyof EventDataByType)[] = [
  'provider.connection.created',
  'provider.connection.error',
  'provider.device.created',
  'provider.device.updated',
  'user.mobile_session.ended',
  'daily.data.afib_burden.created',
  'daily.data.afib_burden.updated',
  'historical.data.afib_burden.created',
  'daily.data.basal_body_temperature.created',
  'daily.data.basal_body_temperature.updated',
  'historical.data.basal_body_temperature.created',
  'daily.data.blood_oxygen.created',
  'daily.data.blood_oxygen.updated',
  'historical.data.blood_oxygen.created',
  'daily.data.blood_pressure.created',
  'daily.data.blood_pressure.updated',
  'historical.data.blood_pressure.created',
  'daily.data.fat.created',
  'daily.data.fat.updated',
  'historical.data.fat.created',
  'daily.data.body_mass_index.created',
  'daily.data.body_mass_index.updated',
  'historical.data.body_mass_index.created',
  'daily.data.body_temperature.created',
  'daily.data.body_temperature.updated',
  'historical.data.body_temperature.created',
  'daily.data.body_temperature_delta.created',
  'daily.data.body_temperature_delta.updated',
  'historical.data.body_temperature_delta.created',
  'daily.data.weight.created',
  'daily.data.weight.updated',
  'historical.data.weight.created',
  'daily.data.caffeine.created',
  'daily.data.caffeine.updated',
  'historical.data.caffeine.created',
  'daily.data.calories_active.created',
  'daily.data.calories_active.updated',
  'historical.data.calories_active.created',
  'daily.data.calories_basal.created',
  'daily.data.calories_basal.updated',
  'historical.data.calories_basal.created',
  'daily.data.carbohydrates.created',
  'daily.data.carbohydrates.updated',
  'historical.data.carbohydrates.created',
  'daily.data.cholesterol.created',
  'daily.data.cholesterol.updated',
  'historical.data.cholesterol.created',
  'daily.data.daylight_exposure.created',
  'daily.data.daylight_exposure.updated',
  'historical.data.daylight_exposure.created',
  'daily.data.distance.created',
  'daily.data.distance.updated',
  'historical.data.distance.created',
  'daily.data.electrocardiogram_voltage.created',
  'daily.data.electrocardiogram_voltage.updated',
  'historical.data.electrocardiogram_voltage.created',
  'daily.data.fall.created',
  'daily.data.fall.updated',
  'historical.data.fall.created',
  'daily.data.floors_climbed.created',
  'daily.data.floors_climbed.updated',
  'historical.data.floors_climbed.created',
  'daily.data.forced_expiratory_volume_1.created',
  'daily.data.forced_expiratory_volume_1.updated',
  'historical.data.forced_expiratory_volume_1.created',
  'daily.data.forced_vital_capacity.created',
  'daily.data.forced_vital_capacity.updated',
  'historical.data.forced_vital_capacity.created',
  'daily.data.glucose.created',
  'daily.data.glucose.updated',
  'historical.data.glucose.created',
  'daily.data.handwashing.created',
  'daily.data.handwashing.updated',
  'historical.data.handwashing.created',
  'daily.data.heart_rate_alert.created',
  'daily.data.heart_rate_alert.updated',
  'historical.data.heart_rate_alert.created',
  'daily.data.heart_rate_recovery_one_minute.created',
  'daily.data.heart_rate_recovery_one_minute.updated',
  'historical.data.heart_rate_recovery_one_minute.created',
  'daily.data.heartrate.created',
  'daily.data.heartrate.updated',
  'historical.data.heartrate.created',
  'daily.data.hrv.created',
  'daily.data.hrv.updated',
  'historical.data.hrv.created',
  'daily.data.ige.created',
  'daily.data.ige.updated',
  'historical.data.ige.created',
  'daily.data.igg.created',
  'daily.data.igg.updated',
  'historical.data.igg.created',
  'daily.data.inhaler_usage.created',
  'daily.data.inhaler_usage.updated',
  'historical.data.inhaler_usage.created',
  'daily.data.insulin_injection.created',
  'daily.data.insulin_injection.updated',
  'historical.data.insulin_injection.created',
  'daily.data.lean_body_mass.created',
  'daily.data.lean_body_mass.updated',
  'historical.data.lean_body_mass.created',
  'daily.data.mindfulness_minutes.created',
  'daily.data.mindfulness_minutes.updated',
  'historical.data.mindfulness_minutes.created',
  'daily.data.note.created',
  'daily.data.note.updated',
  'historical.data.note.created',
  'daily.data.peak_expiratory_flow_rate.created',
  'daily.data.peak_expiratory_flow_rate.updated',
  'historical.data.peak_expiratory_flow_rate.created',
  'daily.data.respiratory_rate.created',
  'daily.data.respiratory_rate.updated',
  'historical.data.respiratory_rate.created',
  'daily.data.sleep_apnea_alert.created',
  'daily.data.sleep_apnea_alert.updated',
  'historical.data.sleep_apnea_alert.created',
  'daily.data.sleep_breathing_disturbance.created',
  'daily.data.sleep_breathing_disturbance.updated',
  'historical.data.sleep_breathing_disturbance.created',
  'daily.data.stand_duration.created',
  'daily.data.stand_duration.updated',
  'historical.data.stand_duration.created',
  'daily.data.stand_hour.created',
  'daily.data.stand_hour.updated',
  'historical.data.stand_hour.created',
  'daily.data.steps.created',
  'daily.data.steps.updated',
  'historical.data.steps.created',
  'daily.data.stress_level.created',
  'daily.data.stress_level.updated',
  'historical.data.stress_level.created',
  'daily.data.uv_exposure.created',
  'daily.data.uv_exposure.updated',
  'historical.data.uv_exposure.created',
  'daily.data.vo2_max.created',
  'daily.data.vo2_max.updated',
  'historical.data.vo2_max.created',
  'daily.data.waist_circumference.created',
  'daily.data.waist_circumference.updated',
  'historical.data.waist_circumference.created',
  'daily.data.water.created',
  'daily.data.water.updated',
  'historical.data.water.created',
  'daily.data.wheelchair_push.created',
  'daily.data.wheelchair_push.updated',
  'historical.data.wheelchair_push.created',
  'daily.data.workout_distance.created',
  'daily.data.workout_distance.updated',
  'historical.data.workout_distance.created',
  'daily.data.workout_duration.created',
  'daily.data.workout_duration.updated',
  'historical.data.workout_duration.created',
  'daily.data.workout_swimming_stroke.created',
  'daily.data.workout_swimming_stroke.updated',
  'historical.data.workout_swimming_stroke.created',
  'daily.data.activity.created',
  'daily.data.activity.updated',
  'historical.data.activity.created',
  'daily.data.sleep.created',
  'daily.data.sleep.updated',
  'historical.data.sleep.created',
  'daily.data.workouts.created',
  'daily.data.workouts.updated',
  'historical.data.workouts.created',
  'daily.data.body.created',
  'daily.data.body.updated',
  'historical.data.body.created',
  'daily.data.meal.created',
  'daily.data.meal.updated',
  'historical.data.meal.created',
  'daily.data.menstrual_cycle.created',
  'daily.data.menstrual_cycle.updated',
  'historical.data.menstrual_cycle.created',
  'daily.data.profile.created',
  'daily.data.profile.updated',
  'historical.data.profile.created',
  'daily.data.electrocardiogram.created',
  'daily.data.electrocardiogram.updated',
  'historical.data.electrocardiogram.created',
  'daily.data.sleep_cycle.created',
  'daily.data.sleep_cycle.updated',
  'historical.data.sleep_cycle.created',
  'daily.data.workout_stream.created',
  'daily.data.workout_stream.updated',
  'historical.data.workout_stream.created',
  'continuous_query.result_table.changed',
  'labtest.order.created',
  'labtest.order.updated',
  'labtest.order.dispatch_failed',
  'labtest.appointment.created',
  'labtest.appointment.updated',
  'labtest.appointment.reminder',
  'labtest.result.critical',
  'labtest.match_review.created',
  'labtest.match_review.updated',
  'lab_report.parsing_job.created',
  'lab_report.parsing_job.updated',
  'message.attempt.exhausted',
]
