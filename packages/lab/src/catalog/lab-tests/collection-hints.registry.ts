import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import type { SampleType } from '../lab-catalog.schema.ts'

const FASTING = 'Eat and drink nothing but water for 8 to 12 hours before the sample is taken.'

const BY_METHOD: Record<CollectionMethod, string> = {
  testkit: 'Read the leaflet in the kit before you open anything else, and follow it.',
  walk_in_test: 'Bring a photo ID and your order to the service center of the laboratory.',
  at_home_phlebotomy:
    'Have a photo ID ready, and a place where you can sit with one arm supported.',
  on_site_collection: 'Bring a photo ID to the place where samples are collected.',
}

const BY_SAMPLE: Record<SampleType, string> = {
  dried_blood_spot:
    'Warm your hands, prick the side of a fingertip, and let drops fall on the circles of the card. Let the card dry before you pack it.',
  arm_collector:
    'Warm your upper arm, press the collector on clean, dry skin, and wait until the tube has filled to its line.',
  serum: 'A small amount of blood is drawn from a vein of your arm. Drink water beforehand.',
  saliva:
    'Do not eat, drink, smoke or brush your teeth for 30 minutes, then fill the tube to its line.',
  urine: 'Wash your hands, begin to urinate, and collect the middle of the stream in the cup.',
  stool:
    'Collect the sample on something clean and dry, without urine or water, and close the tube.',
}

const RETURN =
  'Write your name, your date of birth and the time of collection on the label, and send the kit back the same day.'

/** Returns hints for the patient, in the order of the steps. */
export function listCollectionHints(
  method: CollectionMethod,
  sampleTypes: readonly SampleType[],
  fasting: boolean,
): string[] {
  return [
    ...(fasting ? [FASTING] : []),
    BY_METHOD[method],
    ...sampleTypes.map((type) => BY_SAMPLE[type]),
    ...(method === 'testkit' ? [RETURN] : []),
  ]
}
