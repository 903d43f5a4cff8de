"""The offline reviewer: does the cited evidence carry the conclusion?"""
