#!/bin/sh
# Fails when a change of types, rules, settings or version makes memory worse on recorded conversations.
set -eu
cd "$(dirname "$0")"
forms-dynamics replay log.jsonl --form-types form_types --relation-rules relation_rules --settings settings.yaml \
  --lang en --fail-if "precision < 0.95" --fail-if "recall < 0.82" --fail-if "multi_hop_accuracy < 0.6" \
  --fail-if "questions_per_turn > 10%" "$@"
