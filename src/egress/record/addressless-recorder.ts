import type { ExchangeRecorder } from '../../model/exchange.ts';

/** A recorder of connections that end at a proxy of the user: the address at their other end is not the server's. */
export function addresslessRecorder(recorder: ExchangeRecorder): ExchangeRecorder {
  return {
    begin: (request) => {
      const recording = recorder.begin(request);
      if (recording === null) return null;
      return {
        requestBody: (chunk) => recording.requestBody(chunk),
        answered: (answer) => recording.answered({ ...answer, address: null }),
        body: (chunk) => recording.body(chunk),
        end: (how) => recording.end(how),
      };
    },
  };
}
