import type { CollectionMethod } from '@salus/contracts/order-lifecycle'

/** A well-known panel, made of markers of the sample catalog. */
export interface FamiliarPanel {
  /** Fixed key of the panel in every sandbox, independent of its name. */
  key: string
  name: string
  description: string
  method: CollectionMethod
  labSlug: string
  /**
   * Slugs of the laboratory's markers, in the order of the report. None has a required question.
   */
  markerSlugs: readonly string[]
  fasting: boolean
}

/** Panels that a sandbox starts with, beside one simple test for each collection method. */
export const FAMILIAR_PANELS: readonly FamiliarPanel[] = [
  {
    key: 'cmp',
    name: 'Comprehensive Metabolic Panel (CMP)',
    description: 'Kidney and liver function, electrolytes, blood sugar and protein.',
    method: 'walk_in_test',
    labSlug: 'quest',
    markerSlugs: ['comprehensive-metabolic-panel'],
    fasting: true,
  },
  {
    key: 'cbc',
    name: 'Complete Blood Count (CBC) with Differential',
    description: 'Red cells, the five kinds of white cells, and platelets.',
    method: 'walk_in_test',
    labSlug: 'labcorp',
    markerSlugs: ['complete-blood-count-with-differential'],
    fasting: false,
  },
  {
    key: 'lipids',
    name: 'Lipid Panel',
    description: 'Cholesterol and its fractions, and triglycerides.',
    method: 'walk_in_test',
    labSlug: 'quest',
    markerSlugs: ['lipid-panel'],
    fasting: true,
  },
  {
    key: 'thyroid',
    name: 'Thyroid Panel',
    description: 'TSH, free T4, free T3 and thyroid antibodies.',
    method: 'walk_in_test',
    labSlug: 'labcorp',
    markerSlugs: ['thyroid-panel-complete'],
    fasting: false,
  },
  {
    key: 'urinalysis',
    name: 'Urinalysis, Complete',
    description: 'Test strip and microscopy of urine.',
    method: 'walk_in_test',
    labSlug: 'quest',
    markerSlugs: ['urinalysis-complete-with-microscopy'],
    fasting: false,
  },
  {
    key: 'wellness',
    name: 'General Wellness Panel',
    description: 'Metabolism, blood count, lipids, hemoglobin A1c, TSH and vitamin D in one draw.',
    method: 'at_home_phlebotomy',
    labSlug: 'quest',
    markerSlugs: ['general-wellness-panel'],
    fasting: true,
  },
  {
    key: 'male_hormones',
    name: 'Male Hormone Panel',
    description: 'Testosterone, SHBG, estradiol, LH, FSH, prolactin and PSA.',
    method: 'at_home_phlebotomy',
    labSlug: 'labcorp',
    markerSlugs: [
      'testosterone-free-and-total',
      'sex-hormone-binding-globulin',
      'estradiol',
      'luteinizing-hormone',
      'follicle-stimulating-hormone',
      'prolactin',
      'psa-total',
    ],
    fasting: false,
  },
  {
    key: 'vitamin_d',
    name: 'Vitamin D, 25-Hydroxy',
    description: 'The stores of vitamin D.',
    method: 'at_home_phlebotomy',
    labSlug: 'labcorp',
    markerSlugs: ['vitamin-d-25-hydroxy-total'],
    fasting: false,
  },
  {
    key: 'iron',
    name: 'Iron Panel',
    description: 'Iron, binding capacity, saturation and ferritin.',
    method: 'on_site_collection',
    labSlug: 'nexus',
    markerSlugs: ['iron-and-total-iron-binding-capacity', 'ferritin'],
    fasting: true,
  },
  {
    key: 'heart_health',
    name: 'Heart Health Panel',
    description: 'Lipids with apolipoprotein B, lipoprotein (a) and hs-CRP.',
    method: 'on_site_collection',
    labSlug: 'quest',
    markerSlugs: ['heart-health-panel'],
    fasting: true,
  },
  {
    key: 'bmp',
    name: 'Basic Metabolic Panel (BMP)',
    description: 'Kidney function, electrolytes and blood sugar.',
    method: 'on_site_collection',
    labSlug: 'nexus',
    markerSlugs: ['basic-metabolic-panel'],
    fasting: true,
  },
  {
    key: 'hba1c',
    name: 'Hemoglobin A1c',
    description: 'Blood sugar of the last three months.',
    method: 'testkit',
    labSlug: 'ussl',
    markerSlugs: ['hemoglobin-a1c'],
    fasting: false,
  },
  {
    key: 'female_hormones',
    name: 'Female Hormone Panel',
    description: 'Estradiol, progesterone, FSH, LH, prolactin, AMH, testosterone and DHEA-S.',
    method: 'testkit',
    labSlug: 'ussl',
    markerSlugs: [
      'estradiol',
      'progesterone',
      'follicle-stimulating-hormone',
      'luteinizing-hormone',
      'prolactin',
      'anti-mullerian-hormone',
      'testosterone-total',
      'dhea-sulfate',
    ],
    fasting: false,
  },
  {
    key: 'sti',
    name: 'STI Panel',
    description: 'Chlamydia, gonorrhea, HIV, syphilis, hepatitis B and C.',
    method: 'testkit',
    labSlug: 'ussl',
    markerSlugs: [
      'chlamydia-and-gonorrhea-naa-urine',
      'hiv-1-2-antigen-and-antibodies-4th-generation',
      'treponemal-antibodies-with-reflex-to-rpr',
      'hepatitis-b-surface-antigen-with-reflex-to-confirmation',
      'hepatitis-c-antibody-with-reflex-to-rna',
    ],
    fasting: false,
  },
  {
    key: 'food_allergy',
    name: 'Food Allergy Panel',
    description: 'Specific IgE to the twelve most usual foods.',
    method: 'testkit',
    labSlug: 'spiriplex',
    markerSlugs: ['food-allergy-profile'],
    fasting: false,
  },
]
