import type { Sample } from '../../../../ingest/index.ts'
import { type NewSummary, newSummary } from '../../../../summaries/index.ts'
import { instantName } from '../apple-dates.ts'
import type { LocalTime, SampleLocalTime } from '../local-time/local-times.ts'
import type { EcgRecording } from './ecg-file.ts'

/** Apple records between the two arms, which is lead I. */
const LEAD = 'lead_1'

const sourceOf = ({ device }: EcgRecording) => ({
  sourceType: /watch/i.test(device) ? 'watch' : 'unknown',
  // The file names the device, but no source.
  appId: '',
})

const timeOf = ({ startedAt, samplingHertz }: EcgRecording, index: number): number =>
  startedAt + Math.round((index * 1000) / samplingHertz)

/** @param modifiedAt Time of writing of the summary, or null. */
export function toEcgSummary(
  recording: EcgRecording,
  { timezoneOffset, timeZone }: LocalTime,
  modifiedAt: number | null,
): NewSummary<'electrocardiogram'> {
  const { startedAt, voltages } = recording
  return newSummary(
    'electrocardiogram',
    {
      recordId: instantName(startedAt),
      ...sourceOf(recording),
      deviceModel: recording.device,
      startedAt,
      endedAt: timeOf(recording, voltages.length),
      timezoneOffset,
      timeZone,
      modifiedAt,
      raw: recording.header,
    },
    {
      voltage_sample_count: voltages.length,
      sampling_frequency_hz: recording.samplingHertz,
      classification: recording.classification,
      inconclusive_cause: recording.inconclusiveCause,
      algorithm_version: recording.algorithmVersion,
    },
  )
}

/** Converts the voltages to samples in millivolts. */
export function toEcgSamples(recording: EcgRecording, localTime: SampleLocalTime): Sample[] {
  const common = {
    series: 'electrocardiogram_voltage',
    diastolic: 0,
    text: '',
    ...sourceOf(recording),
    sampleType: LEAD,
    workoutId: '',
    sport: '',
    extra: '',
    ...localTime,
  }
  return recording.voltages.map((value, index) => {
    const at = timeOf(recording, index)
    return { ...common, startedAt: at, endedAt: at, value }
  })
}
