import { type LanguageWords, list } from './language-words.ts'

/** The words of reports in Italian. */
export const ITALIAN: LanguageWords = {
  columns: {
    test: list(`
      esame; esami; analisi; parametro; parametri; determinazione; descrizione; prova; prestazione;
      analita; test; accertamento`),
    result: list(`risultato; risultati; esito; esiti; valore; valori; risultato attuale`),
    unit: list(`
      unita; unita di misura; u.m.; um; u. m.; unita misura; u.misura; unita' di misura; unita'; udm`),
    reference: list(`
      valori di riferimento; valore di riferimento; intervallo di riferimento; intervalli di riferimento;
      riferimento; val. rif.; val.rif.; v.r.; valori normali; limiti di riferimento; limiti; range di
      riferimento; v. rif.; rif.; valori rif.; intervallo; val. riferimento; intervalli biologici di
      riferimento; val. di rif.; range`),
    flag: list(`segnalazione; allerta; stato; anomalia; flag; note; nota`),
    method: list(`metodo; tecnica; campione; materiale; codice; metodica`),
    previous: list(`
      precedente; precedenti; risultato precedente; storico; valore precedente; esito precedente;
      risultati precedenti`),
  },
  header: {
    date: list(`data`),
    patient: list(`
      paziente; nome e cognome; cognome e nome; nominativo; assistito; nome paziente; cognome nome; sig.;
      sig.ra; sig./sig.ra; dati paziente; nome cognome; utente; intestatario; cognome, nome; gentile;
      cognome / nome`),
    firstName: list(`nome`),
    lastName: list(`cognome`),
    dateOfBirth: list(`
      data di nascita; nato il; nata il; nato/a il; data nascita; nascita; nato/a; d. nascita; nato; nata;
      data di nasc.`),
    age: list(`eta; eta'`),
    gender: list(`sesso; genere`),
    ageAndGender: list(`eta/sesso; sesso/eta; eta / sesso; sesso / eta`),
    laboratory: list(`laboratorio; laboratorio analisi; centro; eseguito presso`),
    collected: list(`
      data prelievo; data del prelievo; prelievo; data di prelievo; prelievo del; data accettazione e
      prelievo; data e ora prelievo; prelevato il; data raccolta; data/ora prelievo; prelevato; data ora
      prelievo; campione prelevato il; data campione`),
    received: list(`
      accettazione; data accettazione; ricevuto; data richiesta; accettazione del; data ricezione;
      stampato il; data stampa; data di accettazione; data di stampa; richiesta del; accettato il; check
      in; check-in; data arrivo; ricevuto il`),
    reported: list(`
      data referto; data del referto; referto del; data di refertazione; refertato il; data refertazione;
      data validazione; data emissione; validato il; data di validazione; data di emissione; refertazione;
      data di referto; emesso il; data consegna; firmato il; data esito`),
    specimenNumber: list(`
      numero campione; n. campione; campione n.; codice campione; campione; n. accettazione; numero
      accettazione; richiesta; n. richiesta; numero richiesta; richiesta n.; referto n.; n. referto;
      numero referto; protocollo; accettazione n.; id campione; numero pratica; codice a barre; barcode;
      codice accettazione; id richiesta; num. accettazione; pratica; codice richiesta; n. pratica; cod.
      campione; nr. campione; nr. richiesta; nr. accettazione; n° campione; n° richiesta; n° accettazione;
      n° referto; n. progressivo`),
    patientNumber: list(`
      codice fiscale; cf; c.f.; id paziente; indirizzo; telefono; tel.; tel; tessera sanitaria; cod.
      fiscale; reparto; provenienza; residenza; pagina; residente; codice paziente; fax; email`),
    physician: list(`
      medico; medico curante; richiedente; dott.; dottore; dr.; dott.ssa; medico richiedente; medico
      prescrittore; direttore; direttore sanitario; direttore responsabile; firmato da; validato da;
      inviante`),
  },
  normal: list(`normale; nella norma`),
  high: list(`alto; elevato; alta; aumentato`),
  low: list(`basso; bassa; ridotto; diminuito`),
  abnormal: list(`anormale; fuori norma; anomalo; patologico; fuori range; alterato`),
  critical: list(`critico; panico; valore critico`),
  positive: list(`positivo; positiva; presente; presenti; rilevato; reattivo`),
  negative: list(`
      negativo; negativa; assente; assenti; non rilevato; non reattivo; non rilevabile; nessuno; non
      rilevati`),
  male: list(`maschio; maschile; m; uomini; maschi; uomo`),
  female: list(`femmina; femminile; f; donne; femmine; donna`),
  sections: list(`
      ematologia; biochimica; chimica clinica; emocromo; esame emocromocitometrico; formula leucocitaria;
      coagulazione; immunologia; sierologia; ormoni; esame urine; esame delle urine; profilo lipidico;
      funzionalita epatica; funzionalita renale; elettroliti; marcatori tumorali; microbiologia;
      immunometria; funzionalita tiroidea; metabolismo del ferro; profilo tiroideo; profilo epatico;
      vitamine; endocrinologia; elettroforesi proteica; sedimento`),
}
