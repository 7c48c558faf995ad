import type { DocumentCollectionMethod } from './document-inputs.ts'

/** Instructions for patients before and during a collection, by collection method. */

export interface MethodText {
  title: string
  intro: string
  /** Title of the list of preparations, and the list. */
  beforeTitle: string
  before: string[]
  stepsTitle: string
  steps: string[]
  after: string
}

const MEDICINES =
  'Take your medicines as usual, unless your clinician has advised you otherwise. Biotin (vitamin B7) can distort some results: ask whether to pause it.'
const NO_HURRY = 'Drink a few glasses of water. It makes a blood draw easier.'

export const METHOD_TEXTS: Readonly<Record<DocumentCollectionMethod, MethodText>> = {
  testkit: {
    title: 'Taking your sample at home',
    intro:
      'Your kit holds everything you need. Read these steps once from start to end before you open anything, and plan about half an hour without hurry.',
    beforeTitle: 'Before you begin',
    before: [
      'Check that the kit is complete, unopened, and not past its date.',
      'Choose a day on which you can hand over the parcel on the same day, best from Monday to Thursday.',
      'If your kit must be registered, register it before you send it back. We cannot test a sample without knowing whose it is.',
      MEDICINES,
    ],
    stepsTitle: 'Send it back',
    steps: [
      'Write your first and last name, your date of birth, and the date and time of collection on every label.',
      'Put the samples into the bag for specimens and close it. Then put the bag into the box with the return label.',
      'Hand over the parcel on the same day. Until then keep it at room temperature, away from sun and heat.',
    ],
    after: 'You will hear from us when your sample has arrived and when your results are ready.',
  },
  walk_in_test: {
    title: 'Your visit to a service center',
    intro:
      'A trained person will take your samples. It usually takes a quarter of an hour. Some centers see only people with an appointment, so look up yours before you go.',
    beforeTitle: 'Before your visit',
    before: [
      'Bring this page or your requisition, and a photo ID. Bring your insurance card if an insurer pays.',
      NO_HURRY,
      'Wear a sleeve that can be pushed up above the elbow.',
      MEDICINES,
    ],
    stepsTitle: 'At the center',
    steps: [
      'Show your requisition and your photo ID at the desk.',
      'Say if you feel faint when blood is drawn, take a blood thinner, or are allergic to latex or tape.',
      'Check that your name and date of birth on each label are right before the samples leave the room.',
      'Press on the spot for a few minutes afterwards, and do not lift heavy things with that arm for an hour.',
    ],
    after: 'You will hear from us as soon as your results are ready.',
  },
  at_home_phlebotomy: {
    title: 'Your collection at home',
    intro:
      'A phlebotomist will come to you at the agreed time, and brings everything that is needed. The visit takes about half an hour.',
    beforeTitle: 'Before the visit',
    before: [
      'Have a photo ID at hand, and stay where your phone reaches you.',
      'Prepare a chair with an armrest, a table beside it, and good light. Keep pets in another room.',
      NO_HURRY,
      MEDICINES,
    ],
    stepsTitle: 'During the visit',
    steps: [
      'Show your photo ID. An adult has to be present the whole time.',
      'Say if you feel faint when blood is drawn, take a blood thinner, or are allergic to latex or tape.',
      'Check that your name and date of birth on each label are right before the phlebotomist leaves.',
      'Press on the spot for a few minutes afterwards, and do not lift heavy things with that arm for an hour.',
    ],
    after:
      'The phlebotomist takes the samples to the laboratory. Contact us as early as you can if you cannot keep the appointment.',
  },
  on_site_collection: {
    title: 'Your collection on site',
    intro:
      'Your samples will be taken by the staff of the place where you are seen. They have your order, so there is little for you to do.',
    beforeTitle: 'Before the collection',
    before: [
      'Bring a photo ID.',
      NO_HURRY,
      'Wear a sleeve that can be pushed up above the elbow.',
      MEDICINES,
    ],
    stepsTitle: 'At the collection',
    steps: [
      'Show your photo ID and this page.',
      'Say if you feel faint when blood is drawn, take a blood thinner, or are allergic to latex or tape.',
      'Check that your name and date of birth on each label are right.',
      'Press on the spot for a few minutes afterwards, and do not lift heavy things with that arm for an hour.',
    ],
    after:
      'The staff send your samples to the laboratory. You will hear from us when your results are ready.',
  },
}

export const FASTING_TEXTS = {
  true: {
    title: 'Please fast',
    text: 'Eat nothing for 8 to 12 hours before the collection, and drink only plain water: no coffee, tea, juice, alcohol or gum. Early morning is the easiest time. If you have diabetes, are pregnant, or feel unwell, ask your clinician before you fast.',
  },
  false: {
    title: 'No need to fast',
    text: 'You may eat and drink as usual, unless your clinician has advised you otherwise.',
  },
} as const

/** Instructions for self-collection, by LabTestSampleType. */
export const KIT_TEXTS: Readonly<Record<string, { title: string; steps: string[] }>> = {
  dried_blood_spot: {
    title: 'Dried blood spots',
    steps: [
      'Wash your hands with soap and warm water for a minute, dry them, and let your arm hang down for a while. Warm hands bleed more easily.',
      'Open the card without touching the paper inside the circles.',
      'Clean the tip of your middle or ring finger with the wipe and let it dry by itself.',
      'Press the lancet firmly against the side of the fingertip until it clicks. Wipe the first drop away.',
      'Let large drops fall on the paper, one circle after the other, until each is filled. Do not touch the paper with the finger, and do not put a drop on top of a dry one.',
      'Cover the finger. Let the card dry open and flat for at least three hours, without heat or sun, before you close it.',
    ],
  },
  arm_collector: {
    title: 'Blood from the upper arm',
    steps: [
      'Wash your hands, and rub the outside of your upper arm for two minutes until it is warm.',
      'Clean the place with the wipe and let it dry by itself.',
      'Stick the device on flat, press its button down once, and let your arm hang relaxed.',
      'Leave it on until the tube is filled to the line, or for five minutes. Then peel it off slowly and cover the spot.',
      'Close the tube, and turn it over gently as often as its leaflet says. Do not shake it.',
    ],
  },
  serum: {
    title: 'Blood in a tube',
    steps: [
      'Wash your hands with soap and warm water for a minute, and dry them. Warm hands bleed more easily.',
      'Clean the tip of your middle or ring finger with the wipe and let it dry by itself.',
      'Press the lancet firmly against the side of the fingertip until it clicks. Wipe the first drop away.',
      'Hold the finger down and stroke it towards the tip, so that drops run into the tube, up to the line.',
      'Close the tube until it clicks, turn it over gently as often as its leaflet says, and cover the finger.',
    ],
  },
  saliva: {
    title: 'Saliva',
    steps: [
      'Do not eat, drink, smoke, chew gum or brush your teeth for 30 minutes beforehand.',
      'Rinse your mouth with water and wait for ten minutes.',
      'Let saliva gather and run into the tube until the liquid, not the foam, reaches the line.',
      'Close the tube tightly. If there are several tubes, use each at the time that is printed on it.',
    ],
  },
  urine: {
    title: 'Urine',
    steps: [
      'Wash your hands, and clean yourself with the wipe if there is one.',
      'Begin to urinate into the toilet, then collect from the middle of the stream in the cup. Do not touch the inside of the cup.',
      'Fill the tube from the cup up to the line and close it tightly.',
    ],
  },
  stool: {
    title: 'Stool',
    steps: [
      'Empty your bladder first. Lay the collection sheet over the toilet, so that the sample touches neither water nor urine.',
      'Put on the gloves. With the little spoon in the lid, take small amounts from several places.',
      'Fill the tube up to the line, not above it. Close it tightly and shake it if it holds a liquid.',
      'Flush the rest, throw the sheet and gloves away, and wash your hands.',
    ],
  },
}

/** Additional instructions for samples that patients give themselves during a visit. */
export const VISIT_TEXTS: Readonly<Record<string, string>> = {
  urine: 'You will give a urine sample. Try not to empty your bladder in the hour before.',
  stool:
    'You need a stool sample. Ask beforehand for the container, so that you can bring it along.',
  saliva:
    'You will give a saliva sample. Do not eat, drink, smoke, chew gum or brush your teeth for 30 minutes beforehand.',
}
